import { useEffect, useRef } from 'react';
import { useComputedColorScheme } from '@mantine/core';
import UPlot from 'uplot';
import type { VolumeSeries } from './figures.js';

const height = 200;
const halfDaySeconds = 43_200;

/** Bars by day. The numbers beside it say the same to readers of the screen. */
export function VolumeChart({ series }: { readonly series: VolumeSeries }) {
  const frame = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme('light');
  useEffect(() => {
    const parent = frame.current;
    if (parent === null) return undefined;
    const plot = new UPlot(optionsFor(parent.clientWidth, scheme), [[...series.days], [...series.amounts]], parent);
    const observer = new ResizeObserver(() => plot.setSize({ width: parent.clientWidth, height }));
    observer.observe(parent);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [series, scheme]);
  return <div className="hf-chart" ref={frame} aria-hidden="true" />;
}

const colours = {
  light: { bar: '#1a8a6f', text: '#5a6473', grid: '#e9ecf0' },
  dark: { bar: '#2fa486', text: '#9aa5b5', grid: '#242c36' },
} as const;

const whole = new Intl.NumberFormat('en', { notation: 'compact' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

function optionsFor(width: number, scheme: keyof typeof colours): UPlot.Options {
  const { bar, text, grid } = colours[scheme];
  const axis = { stroke: text, ticks: { show: false }, font: "11px 'Inter Variable', sans-serif" };
  const { bars } = UPlot.paths;
  return {
    width,
    height,
    padding: [8, 8, 0, 0],
    legend: { show: false },
    cursor: { show: false },
    tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1_000), 'UTC'),
    scales: {
      x: { range: (_plot, first, last) => [first - halfDaySeconds, last + halfDaySeconds] }, // the outer bars are whole, too
      y: { range: (_plot, _least, most) => [0, most > 0 ? most * 1.1 : 1] },
    },
    axes: [
      {
        ...axis,
        size: 26,
        grid: { show: false },
        values: (_plot, splits) => splits.map((seconds) => day.format(seconds * 1_000)),
      },
      {
        ...axis,
        grid: { stroke: grid, width: 1 },
        size: 56,
        values: (_plot, splits) => splits.map((amount) => whole.format(amount)),
      },
    ],
    series: [
      {},
      {
        fill: bar,
        width: 0,
        points: { show: false },
        ...(bars === undefined ? {} : { paths: bars({ size: [0.62, 28], radius: 0.15 }) }),
      },
    ],
  };
}
