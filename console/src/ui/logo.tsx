/** The mark of Holdfast: roots that hold a stem. */
export function Logo() {
  return (
    <span className="hf-logo">
      <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
        <rect width="24" height="24" rx="6" fill="var(--hf-accent)" />
        <path
          d="M12 5v8M12 13c0 3-2.5 3-4 6M12 13c0 3 2.5 3 4 6M12 13v6M12 9c-2 0-3.5-1-4-3M12 9c2 0 3.5-1 4-3"
          stroke="#fff"
          strokeWidth="1.7"
          strokeLinecap="round"
          fill="none"
        />
      </svg>
      Holdfast
    </span>
  );
}
