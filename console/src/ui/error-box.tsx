import { Button } from '@mantine/core';
import { isHoldfastError } from '@holdfast/sdk';
import { CopyButton } from './copy-button.js';

type ErrorBoxProps = {
  readonly error: unknown;
  /** Reads again what has failed. */
  readonly onRetry?: () => unknown;
};

/** What was refused or has failed: the code, what it means, and the id that names the request in the logs of the platform. */
export function ErrorBox({ error, onRetry }: ErrorBoxProps) {
  const { code, text, requestId, remarks } = describe(error);
  return (
    <div className="hf-error" role="alert">
      <div className="hf-error-text">
        <strong>{code}</strong> {text}
        {remarks.map((remark) => (
          <div key={remark}>{remark}</div>
        ))}
        {requestId === '' ? null : (
          <div className="hf-error-request">
            Request <code>{requestId}</code>
            <CopyButton value={requestId} label="the request id" />
          </div>
        )}
      </div>
      {onRetry === undefined ? null : (
        <Button variant="default" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}

type Described = {
  readonly code: string;
  readonly text: string;
  readonly requestId: string;
  readonly remarks: readonly string[];
};

function describe(error: unknown): Described {
  if (isHoldfastError(error)) {
    const { code, message, requestId, details } = error;
    return { code, text: message, requestId, remarks: remarksIn(details) };
  }
  return { code: 'CONSOLE_ERROR', text: error instanceof Error ? error.message : String(error), requestId: '', remarks: [] };
}

function remarksIn({ validationErrors, currentStatus, allowedStatuses }: Readonly<Record<string, unknown>>): readonly string[] {
  const faults = Array.isArray(validationErrors) ? validationErrors.map(remarkOf) : [];
  if (typeof currentStatus !== 'string') return faults;
  const allowed = Array.isArray(allowedStatuses) ? ` It must be ${allowedStatuses.join(' or ')}.` : '';
  return [...faults, `It is ${currentStatus}.${allowed}`];
}

function remarkOf(fault: unknown): string {
  return typeof fault === 'string' ? fault : JSON.stringify(fault);
}
