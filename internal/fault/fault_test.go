package fault_test

import (
	"errors"
	"fmt"
	"testing"

	"cradle/internal/fault"
)

func TestAFaultIsFoundBehindWrapping(t *testing.T) {
	refusal := fault.NotFoundf("There is no material %s", "x")
	wrapped := fmt.Errorf("read: %w", refusal)
	if found := fault.As(wrapped); found != refusal {
		t.Errorf("found %v", found)
	}
	if kind := fault.KindOf(wrapped); kind != fault.NotFound {
		t.Errorf("kind %v", kind)
	}
	if refusal.Error() != "There is no material x" || refusal.Code != "not_found" {
		t.Errorf("refusal %+v", refusal)
	}
}

func TestAFaultKnowsItsField(t *testing.T) {
	for _, c := range []struct {
		refusal        *fault.Error
		field, message string
	}{
		{fault.Fieldf("limit", "must be from %d to %d", 1, 100), "limit", "limit must be from 1 to 100"},
		{fault.Fieldf("50%", "must not be empty"), "50%", "50% must not be empty"},
		{fault.Invalidf("The current password is wrong").In("current"), "current", "The current password is wrong"},
		{fault.Invalidf("The body is not valid JSON"), "", "The body is not valid JSON"},
	} {
		if c.refusal.Field != c.field || c.refusal.Error() != c.message || c.refusal.Kind != fault.Invalid {
			t.Errorf("%+v, want %+v", c.refusal, c)
		}
	}
}

func TestAnyOtherErrorIsInternal(t *testing.T) {
	for name, err := range map[string]error{"none": nil, "plain": errors.New("disk on fire")} {
		if fault.As(err) != nil || fault.KindOf(err) != fault.Internal {
			t.Errorf("%s: %v", name, fault.KindOf(err))
		}
	}
}
