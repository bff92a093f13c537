import { describe, expect, it } from '@jest/globals';
import { timesIn } from './days.ts';

/** The calls are on Wednesday, 18 November 2026. Each row: the text, the words of time, the day that they fix. */
const EXPRESSIONS: readonly (readonly [said: string, words: string | null, day: string | null])[] = [
  ['See you tomorrow.', 'tomorrow', '2026-11-19'],
  ['i ring you tomorrow morning then', 'tomorrow morning', '2026-11-19'],
  ['Tomorrow at ten, at the shop.', 'Tomorrow at ten', '2026-11-19'],
  ["he'll be there first thing tomorrow", 'first thing tomorrow', '2026-11-19'],
  ['tomorrow first thing', 'tomorrow first thing', '2026-11-19'],
  ['With you tomorrow before twelve.', 'tomorrow before twelve', '2026-11-19'],
  ['same time tomorrow', 'same time tomorrow', '2026-11-19'],
  ['the day after tomorrow at noon', 'the day after tomorrow at noon', '2026-11-20'],
  ['a week tomorrow', 'a week tomorrow', '2026-11-26'],
  ['the scaffold goes up thursday fortnight', 'thursday fortnight', '2026-12-03'],
  ['twentieth sunday in stoke', 'twentieth sunday', '2026-12-20'],
  ['Friday week, no, sorry, next Friday the twenty-seventh', 'next Friday the twenty-seventh', '2026-11-27'],
  ['anything but not Tuesday', null, null],
  ['why not Tuesday', 'Tuesday', '2026-11-24'],
  ['you will have it today', 'today', '2026-11-18'],
  ['later today is fine', 'later today', '2026-11-18'],
  ["I'll send it this afternoon by four.", 'this afternoon by four', '2026-11-18'],
  ['can you ring this evening', 'this evening', '2026-11-18'],
  ['tonight after eight', 'tonight after eight', '2026-11-18'],
  ['by the end of the day', 'by the end of the day', '2026-11-18'],
  ['by close of play', 'by close of play', '2026-11-18'],
  ["i'll do it straight away", 'straight away', '2026-11-18'],
  ['it goes out right now', 'right now', '2026-11-18'],
  ['it is with you in ten minutes', 'in ten minutes', '2026-11-18'],
  ['within the hour', 'within the hour', '2026-11-18'],
  ['a week today', 'a week today', '2026-11-25'],
  ['same time next week', 'same time next week', '2026-11-25'],
  ['this time next week?', 'this time next week', '2026-11-25'],
  ['a fortnight today', 'a fortnight today', '2026-12-02'],
  ['three weeks today', 'three weeks today', '2026-12-09'],
  [
    'day after tomorrow, end of the day, quarter to six',
    'day after tomorrow, end of the day, quarter to six',
    '2026-11-20',
  ],
  ['it runs from the first of December', 'from the first of December', '2026-12-01'],
  ['in three days', 'in three days', '2026-11-21'],
  ["in two days' time", "in two days' time", '2026-11-20'],
  ['in 5 days', 'in 5 days', '2026-11-23'],
  ['Thursday.', 'Thursday', '2026-11-19'],
  ['thursday half two', 'thursday half two', '2026-11-19'],
  ['how about Thursday at half past two?', 'Thursday at half past two', '2026-11-19'],
  ['ten on Friday then', 'ten on Friday', '2026-11-20'],
  ['Friday ten works', 'Friday ten', '2026-11-20'],
  ['they come Friday, eight to ten', 'Friday, eight to ten', '2026-11-20'],
  ['is there one this Friday', 'this Friday', '2026-11-20'],
  ['we may not do it this year', null, null],
  ['on friday afternoon', 'on friday afternoon', '2026-11-20'],
  ['Saturday at nine, yeah', 'Saturday at nine', '2026-11-21'],
  ['sunday lunchtime', 'sunday lunchtime', '2026-11-22'],
  ['monday morning nine thirty', 'monday morning nine thirty', '2026-11-23'],
  ["nine o'clock on Monday morning", "nine o'clock on Monday morning", '2026-11-23'],
  ['Tuesday, quarter to five', 'Tuesday, quarter to five', '2026-11-24'],
  ['tuesday at 14:30', 'tuesday at 14:30', '2026-11-24'],
  ['tuesday 3pm', 'tuesday 3pm', '2026-11-24'],
  ['Wednesday again?', 'Wednesday', '2026-11-25'],
  ['this coming friday', 'this coming friday', '2026-11-20'],
  ['by Friday at the latest', 'by Friday', '2026-11-20'],
  ['between two and four on monday', 'between two and four on monday', '2026-11-23'],
  ['first thing monday', 'first thing monday', '2026-11-23'],
  ['thurs at ten', 'thurs at ten', '2026-11-19'],
  ['next tuesday', 'next tuesday', '2026-11-24'],
  ['Next Tuesday at ten.', 'Next Tuesday at ten', '2026-11-24'],
  // Said on a Wednesday, it is not the one in two days.
  ['next friday', 'next friday', '2026-11-27'],
  ['friday next week', 'friday next week', '2026-11-27'],
  ['next week on monday', 'next week on monday', '2026-11-23'],
  ['next week thursday at two', 'next week thursday at two', '2026-11-26'],
  ['early next week maybe tuesday', 'early next week maybe tuesday', '2026-11-24'],
  ['wednesday the week after next', 'wednesday the week after next', '2026-12-02'],
  ['the tuesday after next', 'the tuesday after next', '2026-12-01'],
  ['friday after next in the morning', 'friday after next in the morning', '2026-12-04'],
  ['thursday this week', 'thursday this week', '2026-11-19'],
  ['at the end of next week say the friday', 'at the end of next week say the friday', '2026-11-27'],
  ['next week, monday at ten', 'next week, monday at ten', '2026-11-23'],
  ['a week on friday', 'a week on friday', '2026-11-27'],
  ['friday week', 'friday week', '2026-11-27'],
  ['by friday week, the twenty-seventh', 'by friday week, the twenty-seventh', '2026-11-27'],
  ['tuesday week at ten', 'tuesday week at ten', '2026-12-01'],
  ['a week from monday', 'a week from monday', '2026-11-30'],
  ['tuesday in two weeks', 'tuesday in two weeks', '2026-12-01'],
  ['the friday after', 'the friday after', null],
  ['friday after school', 'friday after school', '2026-11-20'],
  ['come in friday before work', 'friday before work', '2026-11-20'],
  ['post lunch on tuesday', 'post lunch on tuesday', '2026-11-24'],
  ['by end of play friday', 'by end of play friday', '2026-11-20'],
  ['back to me by friday close of play', 'by friday close of play', '2026-11-20'],
  ['by close of business tomorrow', 'by close of business tomorrow', '2026-11-19'],
  ['tomorrow am', 'tomorrow am', '2026-11-19'],
  ['within twenty four hours', 'within twenty four hours', '2026-11-19'],
  ['with you in about an hour', 'in about an hour', '2026-11-18'],
  ["I'll email it over this minute", 'this minute', '2026-11-18'],
  ["It's friday fortnight for delivery", 'friday fortnight', '2026-12-04'],
  ["it's Friday today", 'today', '2026-11-18'],
  ['saturday at eleven he will measure', 'saturday at eleven', '2026-11-21'],
  ['tonight after seven thank you', 'tonight after seven', '2026-11-18'],
  ['on the fourth but not before ten', 'on the fourth', '2026-12-04'],
  ['monday between eight and noon', 'monday between eight and noon', '2026-11-23'],
  ['tuesday or wednesday', 'tuesday or wednesday', null],
  ['monday to friday', 'monday to friday', null],
  ['the 24th', 'the 24th', '2026-11-24'],
  ['on the 24th at nine', 'on the 24th at nine', '2026-11-24'],
  ['the twenty third then', 'the twenty third', '2026-11-23'],
  ['the twenty-third of November', 'the twenty-third of November', '2026-11-23'],
  ['the first of December', 'the first of December', '2026-12-01'],
  ['on the third of december at quarter past nine', 'on the third of december at quarter past nine', '2026-12-03'],
  ['december third', 'december third', '2026-12-03'],
  ['December the 3rd', 'December the 3rd', '2026-12-03'],
  ['by 1 December', 'by 1 December', '2026-12-01'],
  ['2 dec', '2 dec', '2026-12-02'],
  ['january twelfth at ten', 'january twelfth at ten', '2027-01-12'],
  ['on the thirtieth of january', 'on the thirtieth of january', '2027-01-30'],
  ['the fifth', 'the fifth', '2026-12-05'],
  ['the second of next month', 'the second of next month', '2026-12-02'],
  ['friday the twentieth', 'friday the twentieth', '2026-11-20'],
  ['Friday 20th', 'Friday 20th', '2026-11-20'],
  ['Tuesday the 24th of November at two', 'Tuesday the 24th of November at two', '2026-11-24'],
  ['tuesday december first', 'tuesday december first', '2026-12-01'],
  ['next tuesday the twenty fourth you will have it', 'next tuesday the twenty fourth', '2026-11-24'],
  ['on the monday then the thirtieth', 'on the monday then the thirtieth', '2026-11-30'],
  ['the second of december wednesday', 'the second of december wednesday', '2026-12-02'],
  ['Saturday, first thing. Cash.', 'Saturday, first thing', '2026-11-21'],
  // The fifth of December is a Saturday, so it is the one of February.
  ['friday the fifth', 'friday the fifth', '2027-02-05'],
  // The 21st is a Saturday, so one of the two words is wrong.
  ['friday the 21st', 'friday the 21st', null],
  // It has just been, so it is hardly the one of the next year.
  ['on the 14th of november', 'on the 14th of november', null],
  ['25/11', '25/11', '2026-11-25'],
  ['11/25/2026', '11/25/2026', '2026-11-25'],
  ['5/12 at ten', '5/12 at ten', null],
  ['2026-12-01', '2026-12-01', '2026-12-01'],
  ['christmas eve', 'christmas eve', '2026-12-24'],
  ['in two weeks', 'in two weeks', null],
  ['I have an appointment for two days from now', 'for two days from now', '2026-11-20'],
  ['a week from today', 'a week from today', '2026-11-25'],
  ["in six weeks' time", "in six weeks' time", null],
  ['Your documents arrive in five to seven days.', 'in five to seven days', null],
  ['it takes five to seven days', 'five to seven days', null],
  ['three working days', 'three working days', null],
  ['in the week after next', 'in the week after next', null],
  ['the hives come in week forty-six then', 'in week forty-six', null],
  ["i'll put you in for february then", 'for february', null],
  ['By tonight.', 'By tonight', '2026-11-18'],
  ["i'll email it this arvo", 'this arvo', '2026-11-18'],
  ["saturday arvo's good", 'saturday arvo', '2026-11-21'],
  ['in forty five minutes', 'in forty five minutes', '2026-11-18'],
  ['right so 22nd before four', '22nd before four', '2026-11-22'],
  ['on the corner of 22nd street', null, null],
  ['in a couple of days', 'in a couple of days', null],
  ['in a month or so', 'in a month', null],
  ['next week', 'next week', null],
  ['sometime next week', 'sometime next week', null],
  ['early next month', 'early next month', null],
  ['after christmas', 'after christmas', null],
  ['in the new year', 'in the new year', null],
  ['in march', 'in march', null],
  ['at the end of january', 'at the end of january', null],
  ['by the end of april', 'by the end of april', null],
  ['give you a ring the first week in January', 'the first week in January', null],
  ['on site the week of the tenth', 'the week of the tenth', null],
  ['top you off the week of december fourteenth', 'the week of december fourteenth', null],
  ['between the sixth and the tenth of April', 'between the sixth and the tenth of April', null],
  ['during the february half term', 'during the february half term', null],
  ['at the end of the month', 'at the end of the month', null],
  ['the day after easter monday', 'the day after easter monday', null],
  ['the Monday after Thanksgiving works', 'the Monday after Thanksgiving', null],
  ['i will phone you after the 25th', 'after the 25th', null],
  ['I am here till four', null, null],
  ['one fifty on the twenty seventh', 'on the twenty seventh', '2026-11-27'],
  ['two thirty on the twenty seventh', 'two thirty on the twenty seventh', '2026-11-27'],
  ['over the weekend', 'over the weekend', null],
  ['in the spring', 'in the spring', null],
  ['at half nine', 'at half nine', null],
  ['at ten?', 'at ten', null],
  ['around five', 'around five', null],
  ['any time after six', 'any time after six', null],
  ['in the morning', 'in the morning', null],
  ['first thing in the morning', 'first thing in the morning', null],
  ['by noon', 'by noon', null],
  ["ring me at eight o'clock", "at eight o'clock", null],
  // No time that lies ahead.
  ['last tuesday i was there', null, null],
  ['every monday we count', null, null],
  ['since friday it is broken', null, null],
  ['we are closed on mondays', null, null],
  ['you rang us on Tuesday about the gate', null, null],
  ['We spoke Friday, I came round with Albie on Monday', null, null],
  ['it would suit me if you came on Tuesday', 'on Tuesday', '2026-11-24'],
  ['you called and on Tuesday we open', 'on Tuesday', '2026-11-24'],
  ["I can't do Tuesday", null, null],
  ["Tuesday's no good, make it Thursday", 'Thursday', '2026-11-19'],
  ['good morning', null, null],
  ['we work at two sites', null, null],
  ['for two weeks', null, null],
  ['he may march', null, null],
  ['the first one', null, null],
  ['the second floor', null, null],
  ['i may have it', null, null],
  ['at nineteen pounds a month', null, null],
  ['it starts at five hundred', null, null],
  ['half the price', null, null],
  ['version 2.0', null, null],
];

const found = (said: string) => timesIn(said, '2026-11-18')[0];

describe('times', () => {
  it.each(EXPRESSIONS)('%s', (said, words, day) => {
    expect([found(said)?.text ?? null, found(said)?.day ?? null]).toEqual([words, day]);
  });

  it('fix no day when the day of the call is not known', () => {
    expect(timesIn('tomorrow at ten', null)).toMatchObject([{ text: 'tomorrow at ten', day: null, names: true }]);
    expect(timesIn('next week, at ten', null)).toMatchObject([{ text: 'next week, at ten', day: null, names: true }]);
  });

  it('are told apart when words stand between them', () => {
    const times = timesIn('the papers come tomorrow and i call you on friday at nine', '2026-11-18');
    expect(times.map(({ text, day }) => [text, day])).toEqual([
      ['tomorrow', '2026-11-19'],
      ['on friday at nine', '2026-11-20'],
    ]);
  });

  it('are the same with capitals and typographic apostrophes', () => {
    expect(found('At ten O’Clock on THURSDAY')).toMatchObject({
      text: 'At ten O’Clock on THURSDAY',
      day: '2026-11-19',
    });
  });

  it('take time in proportion to the text', () => {
    const time = (text: string) => {
      const start = process.cpuUsage();
      timesIn(text, '2026-11-18');
      const { user, system } = process.cpuUsage(start);
      return (user + system) / 1000;
    };
    for (const unit of ['thursday at ten ', 'at at at by by ', 'week on week ', '1 2 3 ', 'the the ', 'a      ']) {
      time(unit.repeat(1_000));
      const small = time(unit.repeat(10_000));
      expect(time(unit.repeat(40_000))).toBeLessThan(12 * small + 100);
    }
  });
});
