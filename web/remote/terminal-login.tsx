import { Alert, Button, Paper, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { SHELLS_MAX, type TerminalFault } from '#schema/remote/terminal-frame'
import { t } from '../kit/i18n.ts'
import { readCookie, writeCookie } from '../kit/session.ts'
import classes from './remote.module.css'
import type { LineState } from './terminal-line.ts'

/** [§3 Client-side stored values] The name that was used last; nothing secret. */
const USER_COOKIE = 'gateone_user'

type Props = {
  state: LineState
  fault: TerminalFault | null
  willRecord: boolean
  /** Why the session ended; '': it has not. */
  ended: string
  onLogin: (username: string, password: string) => void
  onConnect: () => void
  onAgain: () => void
}

/** Over the terminal while it has no shell. The password goes to the device and is kept nowhere. */
export function TerminalLogin({ state, fault, willRecord, ended, onLogin, onConnect, onAgain }: Props) {
  const [username, setUsername] = useState(readCookie(USER_COOKIE) ?? 'root')
  const [password, setPassword] = useState('')
  if (state === 'away' || state === 'elsewhere' || state === 'over')
    return (
      <Paper withBorder p="md" className={classes['over'] ?? ''} role="alert">
        <Stack gap={10}>
          <Text size="sm">{t(`remote:${state}`)}</Text>
          {state === 'over' && ended !== '' ? (
            <Text size="sm" c="dimmed">
              {ended}
            </Text>
          ) : null}
          <Button onClick={state === 'over' ? onAgain : onConnect}>
            {t(state === 'elsewhere' ? 'remote:here' : 'remote:again')}
          </Button>
        </Stack>
      </Paper>
    )
  return (
    <Paper withBorder p="md" className={classes['over'] ?? ''}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          writeCookie(USER_COOKIE, username)
          onLogin(username, password)
          setPassword('')
        }}
      >
        <Stack gap={10}>
          <Text size="sm" fw={600}>
            {t('remote:login.title')}
          </Text>
          {fault === null ? null : (
            <Alert color="red" role="alert" p="xs">
              {t(`remote:fault.${fault}`, { most: SHELLS_MAX })}
            </Alert>
          )}
          <TextInput
            label={t('remote:login.user')}
            value={username}
            maxLength={64}
            required
            autoComplete="off"
            onChange={({ currentTarget }) => setUsername(currentTarget.value)}
          />
          <PasswordInput
            label={t('remote:login.password')}
            value={password}
            maxLength={256}
            autoComplete="off"
            onChange={({ currentTarget }) => setPassword(currentTarget.value)}
          />
          {willRecord ? (
            <Text size="xs" c="dimmed">
              {t('remote:willRecord')}
            </Text>
          ) : null}
          <Button type="submit" loading={state !== 'login'}>
            {t('remote:login.verb')}
          </Button>
        </Stack>
      </form>
    </Paper>
  )
}
