package api

import (
	"context"

	"github.com/trawlhq/trawl"
)

// ProfileStore keeps what browsers know.
type ProfileStore interface {
	Profiles(ctx context.Context, teamID string) ([]trawl.SavedProfile, error)
	DeleteProfile(ctx context.Context, teamID, name string) error
}

type (
	// ProfileList is the answer to GET /v2/browser/profiles.
	ProfileList struct {
		Success
		Profiles []ProfileRecord `json:"profiles" doc:"What the team has saved, by name."`
	}
	// ProfileRecord is what is known of a profile.
	ProfileRecord struct {
		Name      string `json:"name" doc:"Name of the profile."`
		Size      int64  `json:"size" doc:"Bytes that it takes up."`
		CreatedAt string `json:"createdAt" doc:"When it was first used." format:"date-time"`
		SavedAt   string `json:"savedAt" doc:"When it was last saved." format:"date-time"`
		Saving    bool   `json:"saving" doc:"Whether somebody is going to save to it."`
	}
)

// profiles answers GET /v2/browser/profiles.
func (s *Server) profiles(ctx context.Context, _ *none) (*ProfileList, error) {
	list, err := s.Store.Profiles(ctx, visitOf(ctx).caller.Team.ID)
	if err != nil {
		return nil, err
	}
	answer := &ProfileList{Success: yes, Profiles: make([]ProfileRecord, len(list))}
	for i, p := range list {
		answer.Profiles[i] = ProfileRecord{
			Name: p.Name, Size: p.Size, CreatedAt: timestamp(p.CreatedAt), SavedAt: timestamp(p.SavedAt), Saving: p.Saving,
		}
	}
	return answer, nil
}

type profileInput struct {
	Name string `path:"name" doc:"Name of the profile, as one segment of the path: its slashes are escaped."`
}

// Validate insists on a name that a profile can have.
func (in *profileInput) Validate() []trawl.Issue {
	return (&trawl.Profile{Name: in.Name}).Validate()
}

// deleteProfile answers DELETE /v2/browser/profiles/{name}.
func (s *Server) deleteProfile(ctx context.Context, in *profileInput) (*Success, error) {
	if err := s.Store.DeleteProfile(ctx, visitOf(ctx).caller.Team.ID, in.Name); err != nil {
		return nil, err
	}
	return &Success{true}, nil
}
