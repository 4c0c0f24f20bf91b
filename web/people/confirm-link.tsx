/** The page that links in our mails lead to: one button, and the result. */
import { Alert, Button, Stack, Text, Title } from '@mantine/core'
import { IconCircleCheck, IconMail } from '@tabler/icons-react'
import { useState } from 'react'
import type { Word } from '#schema/kit/words.gen'
import { isCancelled } from '../kit/api.ts'
import { t } from '../kit/i18n.ts'
import { goTo } from '../kit/navigation.ts'
import { token as signedIn } from '../kit/session.ts'
import { forgetToken, LinkFrame, tokenOfLink } from './link-frame.tsx'

export type ConfirmTexts = {
  title: string
  text: string
  /** Shown when the link is incomplete. */
  broken: string
  verb: string
  failed: string
  done: string
}
type Props = {
  word: Word
  /** Called when the text file is loaded. */
  texts: () => ConfirmTexts
  /** Uses the token; returns the message to show. */
  confirm: (token: string) => Promise<string>
  /** Shows a link into the console. */
  forUsers: boolean
}
type State = { done?: string; error?: string; busy?: boolean }

/** Opening /login ends an existing login. */
const leave = () => goTo(signedIn() ? '/dashboard' : '/login')

/** Opening the page confirms nothing, because mail scanners open links too. */
function Confirm({ texts, confirm, forUsers }: Omit<Props, 'word'>) {
  const [token] = useState(tokenOfLink)
  const [state, setState] = useState<State>({})
  const said = texts()
  const start = async () => {
    setState({ busy: true })
    try {
      const done = await confirm(token)
      forgetToken()
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

export const ConfirmLink = ({ word, ...shown }: Props) => (
  <LinkFrame words={['profile', word]} title={() => shown.texts().title}>
    <Confirm {...shown} />
  </LinkFrame>
)
