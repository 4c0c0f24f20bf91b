import { Alert, Button, Loader, Stack, Text, Title } from '@mantine/core'
import { IconCircleCheck, IconMail } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import type { ReplyOf } from '#schema/kit/call'
import { confirmEmail } from '#schema/people/profile'
import { isCancelled, request } from '../kit/api.ts'
import { loadWords, t } from '../kit/i18n.ts'
import { goTo } from '../kit/navigation.ts'
import { token as signedIn } from '../kit/session.ts'
import { LoginCorner } from '../people/login-corner.tsx'
import classes from './login.module.css'

/** Opening /login ends the login there may be. */
const leave = () => goTo(signedIn() ? '/dashboard' : '/login')

type State = { done?: ReplyOf<typeof confirmEmail>; error?: string; busy?: boolean }

/** Where the link in the mail leads. Nothing is bound by opening it: mail scanners open links too. */
function Confirm() {
  const [token] = useState(() => location.hash.slice(1))
  const [state, setState] = useState<State>({})
  const confirm = async () => {
    setState({ busy: true })
    try {
      const done = await request(confirmEmail, { token })
      // Used up: it has no business in the address any more.
      history.replaceState(null, '', location.pathname)
      setState({ done })
    } catch (error) {
      setState(isCancelled(error) ? {} : { error: error instanceof Error ? error.message : String(error) })
    }
  }
  const { done, error, busy } = state
  if (done)
    return (
      <Stack gap="md">
        <IconCircleCheck size={40} stroke={1.5} color="var(--online)" aria-hidden />
        <Title order={1} fz={24} lh="32px">
          {t('profile:confirm.done')}
        </Title>
        <Text>{t('profile:confirm.doneText', done)}</Text>
        <Button size="md" onClick={leave}>
          {t(signedIn() ? 'kit:notFound.home' : 'profile:confirm.login')}
        </Button>
      </Stack>
    )
  return (
    <Stack gap="md">
      <IconMail size={40} stroke={1.5} color="var(--primary)" aria-hidden />
      <Title order={1} fz={24} lh="32px">
        {t('profile:confirm.title')}
      </Title>
      <Text c="dimmed">{t(token ? 'profile:confirm.text' : 'profile:confirm.broken')}</Text>
      {error ? (
        <Alert color="red" role="alert" title={t('profile:confirm.failed')}>
          {error}
        </Alert>
      ) : null}
      {token ? (
        <Button size="md" loading={busy ?? false} onClick={() => void confirm()}>
          {t('profile:confirm.verb')}
        </Button>
      ) : null}
      <Button variant="subtle" onClick={leave}>
        {t(signedIn() ? 'kit:notFound.home' : 'profile:confirm.login')}
      </Button>
    </Stack>
  )
}

export function Page() {
  const [ready, setReady] = useState(false)
  useEffect(() => {
    void loadWords(['profile']).then(() => {
      document.title = t('profile:confirm.title')
      setReady(true)
    })
  }, [])
  return (
    <div className={classes['frame']} style={{ gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <main className={classes['main']}>
        <LoginCorner />
        <div className={classes['form']}>{ready ? <Confirm /> : <Loader />}</div>
      </main>
    </div>
  )
}
