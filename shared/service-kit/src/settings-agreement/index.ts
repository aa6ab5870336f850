export { createSettingsAgreement, type SettingsAgreement } from './settings-agreement.js';
