export { findCommand } from './find-command.js';
export { installPackage } from './apt.js';
export { provideTool, type ProvidedTool, type ToolOptions } from './provide-tool.js';
export { provideChromium, provideKubectl, providePrometheus } from './tools.js';
