-- compatible since 0001
-- Whether the contract is paid out as a whole or milestone by milestone.
alter table contracts
  add column release_mode text not null default 'order' check (release_mode in ('order', 'milestone')),
  -- [{ index, decision }]: the milestones that are paid out, by this service or, once that is published, outside this platform.
  add column milestones_settled jsonb not null default '[]',
  -- Indexes of milestones whose dispute this service has caused or published.
  add column disputes_known jsonb not null default '[]',
  -- { index: [message] }: what was published about milestones that were paid out outside this platform. A milestone is paid out once, so
  -- these are the replies to a later command.
  add column milestone_payouts jsonb not null default '{}',
  add check (release_mode = 'order' or contract_type = 'multi-release'),
  add check (release_mode = 'milestone' or milestones_settled = '[]');
