export { findCommand } from './find-command.js';
export { installPackage } from './apt.js';
export { startTool } from './start-tool.js';
export { provideAlertmanager, provideChromium, provideKubectl, providePrometheus } from './tools.js';
