import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { Icon } from '../ui/icon.js';

export function ColorSchemeButton() {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light');
  const other = scheme === 'light' ? 'dark' : 'light';
  return (
    <ActionIcon variant="subtle" color="gray" onClick={() => setColorScheme(other)} aria-label={`Use ${other} colours`}>
      <Icon name={scheme === 'light' ? 'moon' : 'sun'} />
    </ActionIcon>
  );
}
