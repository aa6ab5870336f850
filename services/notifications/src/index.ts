export { notifications } from './service.js';
export { proveAudit } from './store/prove-audit.js';
export { sealerWith, auditSealPurpose } from './store/record-audit.js';
export type { AuditProof } from './use-cases/ports.js';
