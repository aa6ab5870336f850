export { builtFile } from './built-file.js';
