import { csvRow, textCell } from './csv-row.js';

it.each([
  [['a', 'b'], 'a,b\r\n'],
  [['a', null, ''], 'a,,\r\n'],
  [['say "yes", or\nno', '\r'], '"say ""yes"", or\nno","\r"\r\n'],
  [['-5.00', 'é'], '-5.00,é\r\n'],
])('a row of %j follows RFC 4180', (cells, row) => {
  expect(csvRow(cells)).toBe(row);
});

it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1'])('a text that begins like the formula %j gets an apostrophe', (text) => {
  expect(textCell(text)).toBe(`'${text}`);
});

it.each(['1+1', ' =1', "'=1", '', null])('%j stays as it is', (text) => {
  expect(textCell(text)).toBe(text);
});
