package job

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"slices"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store"
)

// Under zero data retention documents wait to be read, but nobody except the
// caller can read them: they are encrypted for a key that is made of the API key,
// of which the service keeps only a hash. With a job it stores the public half.

// sealKey makes the key pair of a job.
func sealKey(secret, jobID string) (*ecdh.PrivateKey, error) {
	seed, err := hkdf.Key(sha256.New, []byte(secret), []byte(jobID), "documents of a job", 32)
	if err != nil {
		return nil, fmt.Errorf("make key: %w", err)
	}
	return ecdh.X25519().NewPrivateKey(seed)
}

// seal encrypts a document for the public key of its job: a key of its own, with
// what the receiver needs to make it again in front.
func seal(public []byte, doc *trawl.Document) (head store.Packed, tail []byte, err error) {
	receiver, err := ecdh.X25519().NewPublicKey(public)
	if err != nil {
		return nil, nil, fmt.Errorf("seal: %w", err)
	}
	once, err := ecdh.X25519().GenerateKey(rand.Reader)
	if err != nil {
		return nil, nil, fmt.Errorf("seal: %w", err)
	}
	box, err := boxOf(once, receiver, once.PublicKey())
	if err != nil {
		return nil, nil, fmt.Errorf("seal: %w", err)
	}
	text := slices.Concat(doc.Seal(), doc.Own())
	nonce := make([]byte, box.NonceSize()) // the key is used once
	return box.Seal(once.PublicKey().Bytes(), nonce, text, nil), []byte{}, nil
}

// unseal undoes seal.
func unseal(secret, jobID string, sealed []byte) ([]byte, error) {
	private, err := sealKey(secret, jobID)
	if err != nil {
		return nil, err
	}
	const size = 32 // of a key
	if len(sealed) < size {
		return nil, errSealed()
	}
	sender, err := ecdh.X25519().NewPublicKey(sealed[:size])
	if err != nil {
		return nil, errSealed()
	}
	box, err := boxOf(private, sender, sender)
	if err != nil {
		return nil, errSealed()
	}
	text, err := box.Open(nil, make([]byte, box.NonceSize()), sealed[size:], nil)
	if err != nil {
		return nil, errSealed()
	}
	return text, nil
}

func boxOf(private *ecdh.PrivateKey, public, salt *ecdh.PublicKey) (cipher.AEAD, error) {
	shared, err := private.ECDH(public)
	if err != nil {
		return nil, err
	}
	key, err := hkdf.Key(sha256.New, shared, salt.Bytes(), "document", 32)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

func errSealed() error {
	return trawl.Errorf(trawl.CodeForbidden, "Under zero data retention a job can be read only with the API key that started it.")
}
