import { Alert, Button, Group, PasswordInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { type FileWay, openFiles } from '#schema/remote/remote-file'
import { ApiError } from '../kit/api.ts'
import { t } from '../kit/i18n.ts'
import { useAction } from '../kit/query.ts'

type Props = { sessionId: string; onOpen: (by: FileWay) => void }

/** An account of the device; its password goes there and is kept nowhere. */
export function FileLogin({ sessionId, onOpen }: Props) {
  const open = useAction(openFiles, { quiet: true })
  const [username, setUsername] = useState('root')
  const [password, setPassword] = useState('')
  const [refusal, setRefusal] = useState<string | null>(null)
  const enter = async () => {
    setRefusal(null)
    try {
      onOpen((await open.run({ sessionId, username, password })).by)
    } catch (error) {
      setRefusal(error instanceof ApiError ? error.message : String(error))
    }
    setPassword('')
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void enter()
      }}
    >
      {refusal === null ? null : (
        <Alert color="red" role="alert" p="xs" mb={8}>
          {refusal}
        </Alert>
      )}
      <Group gap={8} align="flex-end">
        <TextInput
          label={t('remote:login.user')}
          value={username}
          maxLength={64}
          required
          autoComplete="off"
          onChange={({ currentTarget }) => setUsername(currentTarget.value)}
        />
        <PasswordInput
          w={180}
          label={t('remote:login.password')}
          value={password}
          maxLength={256}
          autoComplete="off"
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
        />
        <Button type="submit" loading={open.busy}>
          {t('remote:files.open')}
        </Button>
      </Group>
    </form>
  )
}
