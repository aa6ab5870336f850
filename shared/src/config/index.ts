export * from './list-settings.js';
export * from './read-config.js';
export * from './setting.js';
