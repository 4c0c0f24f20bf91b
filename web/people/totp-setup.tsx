import { Button, Code, Group, PasswordInput, Stack, Text } from '@mantine/core'
import { QRCodeSVG } from 'qrcode.react'
import { type FormEvent, useState } from 'react'
import type { ReplyOf } from '#schema/kit/call'
import { beginTotp, confirmTotp } from '#schema/people/totp'
import { ApiError, isCancelled, isSessionEnd } from '../kit/api.ts'
import { t } from '../kit/i18n.ts'
import { reportError, useAction } from '../kit/query.ts'
import { CodeField } from './login-code.tsx'

/** The message for a field after a refused step; other errors are shown as toasts. */
export function fieldError(error: unknown, field: string): string | null {
  if (isCancelled(error) || isSessionEnd(error)) return null
  if (error instanceof ApiError && error.field === field) return error.message
  reportError(error)
  return null
}

type Begun = ReplyOf<typeof beginTotp>

function Password({ onBegun }: { onBegun: (begun: Begun) => void }) {
  const [passwd, setPasswd] = useState('')
  const [error, setError] = useState<string | null>(null)
  const begin = useAction(beginTotp, { quiet: true })
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (passwd === '') return setError(t('totp:passwordMissing'))
    try {
      onBegun(await begin.run({ passwd }))
    } catch (failure) {
      setError(fieldError(failure, 'passwd'))
    }
  }
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="sm" maw={360}>
        <PasswordInput
          label={t('totp:password')}
          autoComplete="current-password"
          value={passwd}
          error={error}
          onChange={(event) => setPasswd(event.currentTarget.value)}
        />
        <Group>
          <Button type="submit" loading={begin.busy}>
            {t('totp:begin')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function Scan({ begun, onCodes }: { begun: Begun; onCodes: (codes: readonly string[]) => void }) {
  const [code, setCode] = useState('')
  const [error, setError] = useState<string | null>(null)
  const confirm = useAction(confirmTotp, { quiet: true })
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (code.trim() === '') return setError(t('session:code.missing'))
    try {
      onCodes((await confirm.run({ totp: code })).codes)
    } catch (failure) {
      setError(fieldError(failure, 'totp'))
    }
  }
  return (
    <Group gap={32} align="flex-start">
      {/* Scanners need dark on light in every colour scheme. */}
      <div style={{ background: '#fff', padding: 12, borderRadius: 6, lineHeight: 0 }}>
        <QRCodeSVG value={begun.uri} size={184} title={t('totp:qr')} />
      </div>
      <form onSubmit={(event) => void submit(event)} noValidate style={{ flex: '1 1 280px', maxWidth: 380 }}>
        <Stack gap="sm">
          <div>
            <Text fw={600}>{t('totp:scan')}</Text>
            <Text size="sm" c="dimmed">
              {t('totp:scanText')}
            </Text>
          </div>
          <div>
            <Text size="sm">{t('totp:key')}</Text>
            <Code style={{ overflowWrap: 'anywhere', display: 'block' }} p={8}>
              {begun.secret.replace(/(.{4})(?=.)/g, '$1 ')}
            </Code>
          </div>
          <CodeField value={code} error={error} onChange={setCode} autoFocus recovery={false} />
          <Group>
            <Button type="submit" loading={confirm.busy}>
              {t('totp:confirmVerb')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Group>
  )
}

/** Password, then the secret on a phone, then proof of it. `onCodes` gets the recovery codes, once. */
export function TotpSetup({ onCodes }: { onCodes: (codes: readonly string[]) => void }) {
  const [begun, setBegun] = useState<Begun | null>(null)
  return begun ? <Scan begun={begun} onCodes={onCodes} /> : <Password onBegun={setBegun} />
}
