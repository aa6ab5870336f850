import { provideTool, type ProvidedTool } from './provide-tool.js';

/** `prometheus` and `promtool`, each a single binary. */
export function providePrometheus(): Promise<ProvidedTool<'prometheus' | 'promtool'>> {
  return provideTool({ commands: ['prometheus', 'promtool'], package: 'prometheus' });
}

/** `alertmanager`, which Debian gives a longer name, and `amtool`. */
export function provideAlertmanager(): Promise<ProvidedTool<'alertmanager' | 'amtool'>> {
  return provideTool({
    commands: ['alertmanager', 'amtool'],
    package: 'prometheus-alertmanager',
    otherNames: { alertmanager: ['prometheus-alertmanager'] },
    paths: { alertmanager: 'usr/bin/prometheus-alertmanager' },
  });
}

export function provideKubectl(): Promise<ProvidedTool<'kubectl'>> {
  return provideTool({ commands: ['kubectl'], package: 'kubernetes-client' });
}

export function provideChromium(): Promise<ProvidedTool<'chromium'>> {
  return provideTool({
    commands: ['chromium'],
    package: 'chromium',
    otherNames: { chromium: ['chromium-browser', 'google-chrome-stable', 'google-chrome', ...chromiumOutsideOfPath] },
    // /usr/bin/chromium is a script that expects an installed package.
    paths: { chromium: 'usr/lib/chromium/chromium' },
    needsLibraries: true,
  });
}

const chromiumOutsideOfPath = [
  '/snap/bin/chromium',
  '/opt/homebrew/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
