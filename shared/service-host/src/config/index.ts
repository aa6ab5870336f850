export * from './emergency-stop-setting.js';
export * from './list-settings.js';
export * from './read-config.js';
export * from './setting.js';
export * from './service-url-setting.js';
export * from './settlement-timeout-setting.js';
export * from './tracing-settings.js';
