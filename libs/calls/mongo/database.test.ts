import { SettingsError, WorkError } from '@call-analytics/service-kit';
import { describe, expect, it } from '@jest/globals';
import mongoose from 'mongoose';
import { asStoreError, isDuplicateIn, whyUnusable } from './database.ts';

const { mongo } = mongoose;
const answer = (code: number, codeName: string, errorLabels: string[] = []) =>
  new mongo.MongoServerError({ message: codeName, ok: 0, code, codeName, errorLabels });
// Its own constructor wants a whole topology.
const noPrimary = Object.assign(Object.create(mongo.MongoServerSelectionError.prototype), {
  message: 'Server selection timed out after 3000 ms',
});
const failureOf = (error: unknown) => (asStoreError(error) as WorkError).failure;

describe('what the driver throws', () => {
  it.each([
    ['a reset connection', new mongo.MongoNetworkError('read ECONNRESET')],
    ['an answer that does not come', new mongo.MongoNetworkTimeoutError('connection 3 to 127.0.0.1:27017 timed out')],
    ['no primary', noPrimary],
    ['no primary at the start', new mongoose.Error.MongooseServerSelectionError('connect ECONNREFUSED')],
    ['a client that is closed', new mongo.MongoNotConnectedError('Client must be connected before running operations')],
    ['a write to a socket that is gone', Object.assign(new Error('write EPIPE'), { code: 'EPIPE', syscall: 'write' })],
    [
      'a write to a socket that the server has ended',
      Object.assign(new Error('socket has been ended'), { code: 'EPIPE' }),
    ],
    ['a primary that steps down', answer(189, 'PrimarySteppedDown', ['RetryableWriteError'])],
    ['a member that is not primary', answer(10107, 'NotWritablePrimary')],
    ['a server that stops', answer(91, 'ShutdownInProgress')],
    ['a request that was interrupted by a change of roles', answer(11602, 'InterruptedDueToReplStateChange')],
    ['a majority that is not there', answer(64, 'WriteConcernFailed')],
    ['time that ran out', answer(50, 'MaxTimeMSExpired')],
    ['a lock that another request holds', answer(46, 'LockBusy')],
    ['a snapshot that is too old', answer(239, 'SnapshotTooOld')],
    ['a transaction that another write overtook', answer(112, 'WriteConflict', ['TransientTransactionError'])],
    ['a server that sheds load', answer(462, 'IngressRequestRateLimitExceeded', ['SystemOverloadedError'])],
  ])('passes: %s', (_, error) => {
    expect(failureOf(error)).toMatchObject({ kind: 'transient', code: 'store_unavailable' });
    expect((asStoreError(error) as WorkError).cause).toBe(error);
  });

  it.each([answer(14031, 'OutOfDiskSpace'), answer(8000, 'AtlasError')])(
    'says that there is no room: $codeName',
    (error) => {
      expect(failureOf(error)).toMatchObject({ kind: 'transient', code: 'store_full' });
    },
  );

  it.each([
    answer(10334, 'BSONObjectTooLarge'),
    answer(17419, 'Location17419'),
    Object.assign(new RangeError('The value of "offset" is out of range.'), { code: 'ERR_OUT_OF_RANGE' }),
  ])('says that no retry helps, because the text is too long: $code', (error) => {
    expect(failureOf(error)).toMatchObject({ kind: 'rejected', code: 'result_too_large' });
  });

  it.each([
    ['wrong credentials', answer(18, 'AuthenticationFailed')],
    ['missing rights', answer(13, 'Unauthorized')],
    ['a question that the server does not understand', answer(9, 'FailedToParse')],
    ['a wrong use of the driver', new mongo.MongoInvalidArgumentError('no')],
    ['a wrong address', new mongo.MongoParseError('Invalid connection string')],
    ['anything else', new TypeError('x is not a function')],
  ])('does not hide what does not pass: %s', (_, error) => {
    expect(asStoreError(error)).toBe(error);
  });

  it('is told to operators without a value of a setting', () => {
    expect(whyUnusable(answer(18, 'AuthenticationFailed'))).toMatch(/refuses the user or the password of MONGODB_URL/);
    expect(whyUnusable(new SettingsError('MongoDB 5.0.5 is too old.'))).toBe('MongoDB 5.0.5 is too old.');
    expect(whyUnusable(new TypeError('mongodb://user:password@host'))).not.toContain('password');
  });

  it('is left as it is when it was told apart before', () => {
    const known = new WorkError({ kind: 'transient', code: 'store_unavailable', message: '' });
    expect(asStoreError(known)).toBe(known);
  });

  it('names the index that holds the values already', () => {
    const duplicate = new mongo.MongoServerError({
      message: 'E11000 duplicate key error collection: calls.calls index: one_call_per_key dup key: { accountId: "a" }',
      code: 11000,
    });
    expect(isDuplicateIn(duplicate, 'one_call_per_key')).toBe(true);
    expect(isDuplicateIn(duplicate, '_id_')).toBe(false);
    expect(isDuplicateIn(answer(112, 'WriteConflict'), 'one_call_per_key')).toBe(false);
  });
});
