import { MantineProvider, localStorageColorSchemeManager } from '@mantine/core';
import { Router } from 'wouter';
import { SessionGate } from './session/session-gate.js';
import { SessionProvider } from './session/session-provider.js';
import { Shell } from './shell/shell.js';
import { theme, variables } from './theme.js';

const colorScheme = localStorageColorSchemeManager({ key: 'holdfast-console-colors' });

export function App({ nonce }: { readonly nonce: string }) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      defaultColorScheme="auto"
      colorSchemeManager={colorScheme}
      getStyleNonce={() => nonce}
    >
      <Router base="/console">
        <SessionProvider>
          <SessionGate>
            <Shell />
          </SessionGate>
        </SessionProvider>
      </Router>
    </MantineProvider>
  );
}
