import { provideTool, type ProvidedTool } from './provide-tool.js';

/** `prometheus` and `promtool`, each a single binary. */
export function providePrometheus(): Promise<ProvidedTool<'prometheus' | 'promtool'>> {
  return provideTool({ commands: ['prometheus', 'promtool'], package: 'prometheus' });
}

/** Without the server: Debian's reads its templates from a path that only an installed package has. */
export function provideAmtool(): Promise<ProvidedTool<'amtool'>> {
  return provideTool({ commands: ['amtool'], package: 'prometheus-alertmanager' });
}

export function provideKubectl(): Promise<ProvidedTool<'kubectl'>> {
  return provideTool({ commands: ['kubectl'], package: 'kubernetes-client' });
}

export function providePython(): Promise<ProvidedTool<'python3'>> {
  return provideTool({ commands: ['python3'], package: 'python3', needsLibraries: true });
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
