/** Where the links in our mails lead: one button, and what came of it. */
import { Alert, Button, Loader, Stack, Text, Title } from '@mantine/core'
import { IconCircleCheck, IconMail } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import type { Word } from '#schema/kit/words.gen'
import { isCancelled } from '../kit/api.ts'
import { loadWords, t } from '../kit/i18n.ts'
import { goTo } from '../kit/navigation.ts'
import { token as signedIn } from '../kit/session.ts'
import classes from './login.module.css'
import { LoginCorner } from './login-corner.tsx'

export type ConfirmTexts = {
  title: string
  text: string
  /** The link is not whole. */
  broken: string
  verb: string
  failed: string
  done: string
}
type Props = {
  word: Word
  /** Called when the word is there. */
  texts: () => ConfirmTexts
  /** Uses the token; returns what is said then. */
  confirm: (token: string) => Promise<string>
  /** Offers the way into the console. */
  forUsers: boolean
}
type State = { done?: string; error?: string; busy?: boolean }

/** Opening /login ends the login there may be. */
const leave = () => goTo(signedIn() ? '/dashboard' : '/login')

/** Nothing is confirmed by opening it: mail scanners open links too. */
function Confirm({ texts, confirm, forUsers }: Omit<Props, 'word'>) {
  const [token] = useState(() => location.hash.slice(1))
  const [state, setState] = useState<State>({})
  const said = texts()
  const start = async () => {
    setState({ busy: true })
    try {
      const done = await confirm(token)
      // Used up: it has no business in the address any more.
      history.replaceState(null, '', location.pathname)
      setState({ done })
    } catch (error) {
      setState(isCancelled(error) ? {} : { error: error instanceof Error ? error.message : String(error) })
    }
  }
  const { done, error, busy } = state
  const way = t(signedIn() ? 'kit:notFound.home' : 'profile:confirm.login')
  if (done)
    return (
      <Stack gap="md">
        <IconCircleCheck size={40} stroke={1.5} color="var(--online)" aria-hidden />
        <Title order={1} fz={24} lh="32px">
          {said.done}
        </Title>
        <Text>{done}</Text>
        {forUsers ? (
          <Button size="md" onClick={leave}>
            {way}
          </Button>
        ) : null}
      </Stack>
    )
  return (
    <Stack gap="md">
      <IconMail size={40} stroke={1.5} color="var(--primary)" aria-hidden />
      <Title order={1} fz={24} lh="32px">
        {said.title}
      </Title>
      <Text c="dimmed">{token ? said.text : said.broken}</Text>
      {error ? (
        <Alert color="red" role="alert" title={said.failed}>
          {error}
        </Alert>
      ) : null}
      {token ? (
        <Button size="md" loading={busy ?? false} onClick={() => void start()}>
          {said.verb}
        </Button>
      ) : null}
      {forUsers ? (
        <Button variant="subtle" onClick={leave}>
          {way}
        </Button>
      ) : null}
    </Stack>
  )
}

export function ConfirmLink({ word, ...shown }: Props) {
  const [ready, setReady] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is shown is the page's, and never changes
  useEffect(() => {
    void loadWords(['profile', word]).then(() => {
      document.title = shown.texts().title
      setReady(true)
    })
  }, [])
  return (
    <div className={classes['frame']} style={{ gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <main className={classes['main']}>
        <LoginCorner />
        <div className={classes['form']}>{ready ? <Confirm {...shown} /> : <Loader />}</div>
      </main>
    </div>
  )
}
