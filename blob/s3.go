// Package blob keeps big values in an object store that speaks the S3 protocol.
// It is the alternative to keeping them in the database, with the same methods
// and the same compression.
//
// Values live under one folder of the bucket, named by their ids. The bucket,
// or the prefix within it, must belong to one installation alone: a sweep removes
// what its database does not name.
package blob

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/blob/codec"
)

// What the objects of this package are called within the prefix.
const (
	folder = "trawl-blobs/"
	suffix = ".zst"
)

// portion is how many values are listed or deleted at a time; S3 takes no more.
const portion = 1000

// S3 is a bucket. Its methods may be called at the same time.
type S3 struct {
	client minio.Core
	bucket string
	prefix string
	codec  *codec.Codec
}

// Open connects to the bucket that the URL names and checks that it is there:
//
//	s3://bucket/prefix?endpoint=host:port&region=eu-central-1&insecure=true
//
// Prefix and parameters may be left out. The endpoint is Amazon's by default,
// and insecure stands for plain HTTP. The credentials come from the user part of
// the URL, or else from AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and
// AWS_SESSION_TOKEN. No error repeats them. All requests go through transport.
func Open(ctx context.Context, rawURL string, transport http.RoundTripper) (*S3, error) {
	s, err := parse(rawURL, transport)
	if err != nil {
		return nil, fmt.Errorf("open blob store: %w", err)
	}
	exists, err := s.client.BucketExists(ctx, s.bucket)
	if err != nil {
		return nil, fmt.Errorf("open blob store: bucket %s: %w", s.bucket, err)
	}
	if !exists {
		return nil, fmt.Errorf("open blob store: bucket %s does not exist", s.bucket)
	}
	if s.codec, err = codec.New(); err != nil {
		return nil, fmt.Errorf("open blob store: %w", err)
	}
	return s, nil
}

// parse makes a client from a URL, without talking to anyone.
func parse(rawURL string, transport http.RoundTripper) (*S3, error) {
	u, err := url.Parse(rawURL)
	if err != nil || u.Scheme != "s3" || u.Host == "" || u.Port() != "" {
		return nil, errors.New("the URL is not of the form s3://bucket/prefix?endpoint=…") // it may hold a secret
	}
	options := minio.Options{Secure: true, Transport: transport, MaxRetries: 5}
	endpoint := "s3.amazonaws.com"
	for name, values := range u.Query() {
		switch value := values[0]; name {
		case "endpoint":
			endpoint = value
		case "region":
			options.Region = value
		case "insecure":
			insecure, err := strconv.ParseBool(value)
			if err != nil {
				return nil, fmt.Errorf("insecure is %q: want true or false", value)
			}
			options.Secure = !insecure
		default:
			return nil, fmt.Errorf("unknown parameter %q in the URL", name)
		}
	}
	if options.Creds, err = findCredentials(u.User); err != nil {
		return nil, err
	}
	client, err := minio.New(endpoint, &options)
	if err != nil {
		return nil, err
	}
	prefix := strings.Trim(u.Path, "/")
	if prefix != "" {
		prefix += "/"
	}
	return &S3{client: minio.Core{Client: client}, bucket: u.Host, prefix: prefix + folder}, nil
}

func findCredentials(user *url.Userinfo) (*credentials.Credentials, error) {
	if user != nil {
		if secret, ok := user.Password(); ok && user.Username() != "" {
			return credentials.NewStaticV4(user.Username(), secret, ""), nil
		}
		return nil, errors.New("the user part of the URL is not of the form key:secret")
	}
	id, secret := os.Getenv("AWS_ACCESS_KEY_ID"), os.Getenv("AWS_SECRET_ACCESS_KEY")
	if id == "" || secret == "" {
		return nil, errors.New("no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or put them into the URL")
	}
	return credentials.NewStaticV4(id, secret, os.Getenv("AWS_SESSION_TOKEN")), nil
}

// Close frees the memory of the store, which must not be in use any more.
func (s *S3) Close() { s.codec.Close() }

// Put stores data under id, in place of what was there.
func (s *S3) Put(ctx context.Context, id string, data []byte) error {
	packed, err := s.codec.Pack(data)
	if err != nil {
		return fmt.Errorf("put blob: %w", err)
	}
	_, err = s.client.Client.PutObject(ctx, s.bucket, s.name(id), bytes.NewReader(packed), int64(len(packed)),
		minio.PutObjectOptions{ContentType: "application/zstd"})
	if err != nil {
		return fmt.Errorf("put blob: %w", err)
	}
	return nil
}

// Get returns what is stored under id; if nothing is, the error has CodeNotFound.
func (s *S3) Get(ctx context.Context, id string) ([]byte, error) {
	body, info, _, err := s.client.GetObject(ctx, s.bucket, s.name(id), minio.GetObjectOptions{})
	if minio.ToErrorResponse(err).Code == minio.NoSuchKey {
		return nil, trawl.Errorf(trawl.CodeNotFound, "Blob not found")
	}
	if err != nil {
		return nil, fmt.Errorf("get blob: %w", err)
	}
	defer func() { _ = body.Close() }()
	if info.Size > codec.MaxSize {
		return nil, fmt.Errorf("get blob: %d bytes are more than were ever stored", info.Size)
	}
	packed := bytes.NewBuffer(make([]byte, 0, max(info.Size, 0)+bytes.MinRead))
	if _, err := io.Copy(packed, io.LimitReader(body, codec.MaxSize)); err != nil {
		return nil, fmt.Errorf("get blob: %w", err)
	}
	data, err := s.codec.Unpack(packed.Bytes())
	if err != nil {
		return nil, fmt.Errorf("get blob: %w", err)
	}
	return data, nil
}

// Delete removes values; an id that is not there is no error.
func (s *S3) Delete(ctx context.Context, ids ...string) error {
	for some := range slices.Chunk(ids, portion) {
		if err := s.remove(ctx, some); err != nil {
			return fmt.Errorf("delete blobs: %w", err)
		}
	}
	return nil
}

func (s *S3) remove(ctx context.Context, ids []string) error {
	objects := func(yield func(minio.ObjectInfo) bool) {
		for _, id := range ids {
			if !yield(minio.ObjectInfo{Key: s.name(id)}) {
				return
			}
		}
	}
	results, err := s.client.RemoveObjectsWithIter(ctx, s.bucket, objects, minio.RemoveObjectsOptions{})
	if err != nil {
		return err
	}
	for result := range results {
		err = errors.Join(err, result.Err)
	}
	return errors.Join(err, ctx.Err())
}

// List passes the ids of all values stored at or after from and before to, in
// portions.
func (s *S3) List(ctx context.Context, from, to time.Time, visit func(ids []string) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var ids []string
	for object := range s.client.ListObjectsIter(ctx, s.bucket, minio.ListObjectsOptions{Prefix: s.prefix, Recursive: true}) {
		if object.Err != nil {
			return fmt.Errorf("list blobs: %w", object.Err)
		}
		id, ours := strings.CutSuffix(strings.TrimPrefix(object.Key, s.prefix), suffix)
		if !ours || object.LastModified.Before(from) || !object.LastModified.Before(to) {
			continue
		}
		if ids = append(ids, id); len(ids) < portion {
			continue
		}
		if err := visit(ids); err != nil {
			return err
		}
		ids = nil
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("list blobs: %w", err)
	}
	if len(ids) == 0 {
		return nil
	}
	return visit(ids)
}

func (s *S3) name(id string) string { return s.prefix + id + suffix }
