-- compatible since 0001
-- For the job that deletes old events; those without a signature are deleted earlier.
create index provider_events_received on provider_events (is_signed, received_at);

create index ignored_provider_events_received on ignored_provider_events (received_at);
