export { findCommand } from './find-command.js';
export { installPackage } from './apt.js';
export { provideAmtool, provideChromium, provideKubectl, providePrometheus, providePython } from './tools.js';
