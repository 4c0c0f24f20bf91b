import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core'
import { type FormEvent, useEffect, useEffectEvent, useState } from 'react'
import { TOTP_NEEDED } from '#schema/people/before-login'
import { getUserDetails, type UserDetails, userLogin } from '#schema/people/session'
import { ApiError, isCancelled, request, requestIdOf } from '../kit/api.ts'
import { Modal } from '../kit/dialog.tsx'
import { openProps } from '../kit/form/open-forms.ts'
import { forgetUnsaved } from '../kit/form/unsaved.ts'
import { t } from '../kit/i18n.ts'
import { loadMe, me, renewMe } from '../kit/me.ts'
import { goTo, loginPath } from '../kit/navigation.ts'
import { queryClient, reportError } from '../kit/query.ts'
import { RequestIdNote } from '../kit/request-id-note.tsx'
import { adoptToken, clearSession, language, storeToken, storeUser, token } from '../kit/session.ts'
import { isSilenced, renewSession, settleSession } from '../kit/session-end.ts'
import { CodeField } from '../people/login-code.tsx'

/** The drawer below listens for Escape on the whole window; it must not close under this dialog. */
const KEEP_ESCAPE = { 'data-mantine-stop-propagation': 'true' }

/**
 * A big screen or panel in full screen would hide the dialog, stay as it was without a word, and keep the focus: false
 * until it is left.
 */
function useOutOfFullScreen(): boolean {
  const [out, setOut] = useState(
    () => document.fullscreenElement === null || document.fullscreenElement === document.documentElement,
  )
  useEffect(() => {
    const left = () => setOut(true)
    // It fails if the user has left it meanwhile.
    if (!out) void document.exitFullscreen().then(left, left)
  }, [out])
  return out
}

/** How often the dialog looks whether the user has logged in elsewhere. */
const LOOK_MS = 2_000

/** Navigation cancels a page's requests, but these belong to no page. */
const ownSignal = () => new AbortController().signal

async function goOn(user: UserDetails, left: AbortSignal) {
  storeUser(user)
  try {
    await loadMe()
  } catch (error) {
    // The token is valid; permissions and menus are fetched again with the next page.
    reportError(error)
  }
  // What was fetched has been stored after the login page had cleared the storage, or over what the next user's login has stored.
  if (left.aborted) return token() === null ? clearSession() : void renewMe().catch(reportError)
  settleSession()
  void queryClient.invalidateQueries()
}

/** [§8 Codes 2 and 20] Over the open page: the same user continues there, another user at the login page. */
export function ReloginDialog() {
  const { user_id, username } = me().user
  const [password, setPassword] = useState('')
  const [error, setError] = useState<string | null>(null)
  /** Of the login that failed. */
  const [failedId, setFailedId] = useState<string | undefined>()
  /** null: no code is requested. */
  const [code, setCode] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const opened = useOutOfFullScreen()
  /** Who has logged in in another tab instead. */
  const [other, setOther] = useState<string | null>(null)

  /** A login whose response came after the user has left would log them in at the login page. */
  const [leaving] = useState(() => new AbortController())
  const leave = () => {
    leaving.abort()
    const path = loginPath('expired')
    forgetUnsaved()
    if (other !== null) {
      // The visited pages of the user who leaves.
      sessionStorage.clear()
      return location.assign('/dashboard')
    }
    settleSession()
    goTo(path)
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (password === '') return setError(t('session:passwordMissing'))
    if (code?.trim() === '') return setError(t('session:code.missing'))
    setError(null)
    setFailedId(undefined)
    setBusy(true)
    try {
      const { token: made, ...user } = await request(
        userLogin,
        { username, password, language: language(), ...(code ? { totp: code } : {}) },
        leaving.signal,
      )
      storeToken(made)
      renewSession()
      await goOn(user, leaving.signal)
    } catch (failure) {
      if (failure instanceof ApiError && failure.code === TOTP_NEEDED && code === null) setCode('')
      else if (!isCancelled(failure)) {
        setError(failure instanceof Error ? failure.message : String(failure))
        setFailedId(requestIdOf(failure))
      }
      setBusy(false)
    }
  }
  /** The user may have logged in from another tab of this browser. */
  const look = useEffectEvent(async () => {
    if (busy || !isSilenced() || token() === null) return
    try {
      const user = await request(getUserDetails, {}, ownSignal(), true)
      if (user.user_id !== user_id) return setOther(user.username)
      adoptToken()
      renewSession()
      await goOn(user, leaving.signal)
    } catch {
      // Ended again, or not reachable: the password is still requested.
    }
  })
  useEffect(() => {
    const watch = () => void look()
    watch()
    addEventListener('focus', watch)
    addEventListener('storage', watch)
    // A look that failed, or an event that a browser keeps back from a window behind others.
    const again = setInterval(() => other === null && watch(), LOOK_MS)
    return () => {
      clearInterval(again)
      removeEventListener('focus', watch)
      removeEventListener('storage', watch)
    }
  }, [other])

  return (
    <Modal
      opened={opened}
      onClose={leave}
      // The page below stays as it is; only the buttons end it.
      onBack={() => undefined}
      title={other === null ? t('session:expired') : t('session:again.otherTitle', { other })}
      zIndex={350}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="md">
          <Text>
            {other === null
              ? t('session:again.text', { name: username })
              : t('session:again.otherText', { name: username, other })}
          </Text>
          {/* For password managers: the user of the password. */}
          <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
          <PasswordInput
            {...openProps(userLogin, 'password')}
            withAsterisk={false}
            name="password"
            autoComplete="current-password"
            data-autofocus
            {...KEEP_ESCAPE}
            value={password}
            error={code === null ? error : null}
            onChange={(event) => setPassword(event.currentTarget.value)}
            visibilityToggleButtonProps={{ 'aria-label': t('kit:showPassword'), ...KEEP_ESCAPE }}
          />
          {code === null ? null : (
            <CodeField value={code} error={error} onChange={setCode} autoFocus attributes={KEEP_ESCAPE} />
          )}
          <RequestIdNote id={failedId} />
          <Group justify="flex-end">
            <Button variant="default" onClick={leave} {...KEEP_ESCAPE}>
              {other === null ? t('session:again.leave') : t('session:again.asOther', { other })}
            </Button>
            <Button type="submit" loading={busy} {...KEEP_ESCAPE}>
              {t('session:login.again')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
