-- Endpoints that get every type of event, those of later versions included. Their subscriptions name the types of when they
-- were added, for servers of the version before. It wrote down all types, both that there were, where none was chosen.
ALTER TABLE endpoints ADD COLUMN all_types BOOLEAN NOT NULL DEFAULT FALSE;
UPDATE endpoints SET all_types = TRUE WHERE (SELECT COUNT(*) FROM subscriptions s WHERE s.endpoint_id = endpoints.id) = 2;
