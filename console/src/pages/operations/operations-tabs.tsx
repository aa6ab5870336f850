import { TabLinks } from '../../ui/tab-links.js';

const tabs = [
  { label: 'Sagas', path: '/operations' },
  { label: 'Parked messages', path: '/operations/parked' },
  { label: 'Providers', path: '/operations/providers' },
];

export function OperationsTabs() {
  return <TabLinks label="Operations" tabs={tabs} />;
}
