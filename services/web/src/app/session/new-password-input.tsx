import { PasswordInput } from '@mantine/core';
import { texts } from '../texts/texts.ts';
import { PASSWORD_LENGTH } from './password.ts';

/** Where a password is chosen. Browsers offer to make one, and refuse what is too short before it is sent. */
export function NewPasswordInput({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
}) {
  return (
    <PasswordInput
      label={label}
      description={texts.session.passwordRule(PASSWORD_LENGTH.min)}
      name="new-password"
      autoComplete="new-password"
      minLength={PASSWORD_LENGTH.min}
      maxLength={PASSWORD_LENGTH.max}
      required
      withAsterisk={false}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
