import { TabLinks } from '../../ui/tab-links.js';

const tabs = [
  { label: 'Live', path: '/events' },
  { label: 'History', path: '/events/history' },
  { label: 'Audit trail', path: '/events/audit' },
];

export function EventsTabs() {
  return <TabLinks label="Events" tabs={tabs} />;
}
