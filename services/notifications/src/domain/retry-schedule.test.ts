import { retryGapsIn } from './retry-schedule.js';

describe('a retry schedule', () => {
  it.each([
    ['5,300', [5, 300]],
    [' 0 , 604800 ', [0, 604_800]],
    ['1', [1]],
  ])('%j is %j', (text, gaps) => {
    expect(retryGapsIn(text)).toEqual(gaps);
  });

  it.each(['', '5,', '5;6', '-1', '1.5', '604801', 'x', Array(51).fill('1').join(',')])('%j is refused', (text) => {
    expect(retryGapsIn(text)).toBeUndefined();
  });
});
