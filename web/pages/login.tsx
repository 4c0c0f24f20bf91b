import { Button, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core'
import { IconArrowBigUpLine, IconLock, IconMail, IconUser } from '@tabler/icons-react'
import { type FormEvent, type KeyboardEvent, Suspense, useEffect, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { TOTP_NEEDED } from '#schema/people/before-login'
import { emailLogin, PASSWORD_MIN, userLogin } from '#schema/people/session'
import { ApiError, isCancelled, request } from '../kit/api.ts'
import { lazy } from '../kit/chunk.ts'
import { openProps } from '../kit/form/open-forms.ts'
import { t } from '../kit/i18n.ts'
import { safeReturnTo } from '../kit/navigation.ts'
import { copyrightYears } from '../kit/page/copyright.ts'
import { FilingLinks, useFilings } from '../kit/page/filing-links.tsx'
import { language, storeToken, storeUser } from '../kit/session.ts'
import classes from '../people/login.module.css'
import { keepTyped, type LoginTyped, takeTyped } from '../people/login-typed.ts'

const LoginCorner = lazy(() => import('../people/login-corner.tsx').then((m) => ({ default: m.LoginCorner })))
const LoginPicture = lazy(() =>
  import('../people/login-picture.tsx').then((m) => ({ default: m.LoginPicture })),
)
// Most logins have no second factor.
const LoginCode = lazy(() => import('../people/login-code.tsx').then((m) => ({ default: m.LoginCode })))

/** Taken before the route clears the storage. */
const before = takeTyped()

type Way = LoginTyped['way']
const ways: readonly Way[] = ['username', 'email']
type Errors = { name?: string | undefined; password?: string | undefined; form?: string | undefined }

/** [§5 Login] Errors that need no request. */
function judge(way: Way, name: string, password: string): Errors {
  const errors: Errors = {}
  if (name.trim() === '')
    errors.name = t(way === 'email' ? 'session:emailMissing' : 'session:usernameMissing')
  else if (way === 'email' && !/^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(name.trim()))
    errors.name = t('session:emailWrong')
  if (password === '') errors.password = t('session:passwordMissing')
  else if (password.length < PASSWORD_MIN)
    errors.password = t('session:passwordTooShort', { min: PASSWORD_MIN })
  return errors
}

/** @param loadNext loads the code that is shown after the login */
export function Page({ loadNext }: { loadNext: () => Promise<unknown> }) {
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const [way, setWay] = useState<Way>(before.way)
  const [name, setName] = useState(before.name)
  const [password, setPassword] = useState('')
  const [errors, setErrors] = useState<Errors>({})
  const [capsLock, setCapsLock] = useState(false)
  const [busy, setBusy] = useState(false)
  /** The password was correct; the code of the second factor is requested. */
  const [coding, setCoding] = useState(false)
  const filings = useFilings()
  const expired = query.get('reason') === 'expired'

  useEffect(() => {
    document.title = t('session:login.pageTitle')
    // The shell comes next; loading it while the user types makes the login fast.
    const timer = setTimeout(() => void loadNext(), 1500)
    return () => clearTimeout(timer)
  }, [loadNext])

  const watchCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'))

  const enter = async (totp?: string) => {
    const secret = { password, language: language(), ...(totp ? { totp } : {}) }
    const { token, ...user } =
      way === 'email'
        ? await request(emailLogin, { email: name.trim(), ...secret })
        : await request(userLogin, { username: name.trim(), ...secret })
    storeToken(token)
    storeUser(user)
    await navigate(safeReturnTo(query.get('returnTo')) ?? '/dashboard', { replace: true })
  }

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const found = judge(way, name, password)
    setErrors(found)
    if (found.name || found.password) return
    setBusy(true)
    try {
      await enter()
    } catch (error) {
      if (isCancelled(error)) return
      if (error instanceof ApiError && error.code === TOTP_NEEDED) return setCoding(true)
      const message = error instanceof Error ? error.message : String(error)
      const field = error instanceof ApiError ? error.field : undefined
      setErrors(field === 'password' ? { password: message } : { form: message })
    } finally {
      setBusy(false)
    }
  }

  return (
    <div className={classes['frame']}>
      <aside className={classes['side']}>
        <div className={classes['brand']}>
          <img src="/logo.svg" alt="" width={32} height={32} />
          {t('session:product')}
        </div>
        <Suspense fallback={<div className={classes['pictureSpace']} />}>
          <LoginPicture />
        </Suspense>
        <div>
          <p className={classes['claim']}>{t('session:login.claim')}</p>
          <p className={classes['sub']}>{t('session:login.sub')}</p>
        </div>
      </aside>
      <main className={classes['main']}>
        <Suspense fallback={<div className={classes['cornerSpace']} />}>
          <LoginCorner onReload={() => keepTyped({ way, name })} />
        </Suspense>
        {coding ? (
          <div className={classes['form']}>
            <Suspense>
              <LoginCode
                enter={enter}
                onBack={() => {
                  setCoding(false)
                  setPassword('')
                }}
              />
            </Suspense>
          </div>
        ) : (
          <form className={classes['form']} onSubmit={(event) => void submit(event)} noValidate>
            <Stack gap="md">
              <div>
                <img src="/logo.svg" alt="" width={36} height={36} className={classes['smallLogo']} />
                <Title order={1} fz={24} lh="32px">
                  {t('session:login.title')}
                </Title>
                <Text c="dimmed">{t('session:login.hint')}</Text>
              </div>
              {expired ? (
                <p role="alert" className={classes['note']} data-tone="warning">
                  {t('session:expired')}
                </p>
              ) : null}
              <div className={classes['ways']} role="radiogroup" aria-label={t('session:login.way')}>
                {ways.map((value) => (
                  <label key={value}>
                    <input
                      type="radio"
                      name="way"
                      checked={way === value}
                      onChange={() => {
                        setWay(value)
                        setErrors({})
                      }}
                    />
                    {t(`session:${value}`)}
                  </label>
                ))}
              </div>
              <TextInput
                key={way}
                {...(way === 'email' ? openProps(emailLogin, 'email') : openProps(userLogin, 'username'))}
                withAsterisk={false}
                type={way === 'email' ? 'email' : 'text'}
                name="username"
                autoComplete="username"
                autoCapitalize="none"
                spellCheck={false}
                autoFocus
                size="md"
                leftSection={
                  way === 'email' ? <IconMail size={18} stroke={1.5} /> : <IconUser size={18} stroke={1.5} />
                }
                value={name}
                error={errors.name}
                onChange={(event) => setName(event.currentTarget.value)}
              />
              <div>
                <PasswordInput
                  {...openProps(way === 'email' ? emailLogin : userLogin, 'password')}
                  withAsterisk={false}
                  name="password"
                  autoComplete="current-password"
                  size="md"
                  leftSection={<IconLock size={18} stroke={1.5} />}
                  value={password}
                  error={errors.password}
                  onChange={(event) => setPassword(event.currentTarget.value)}
                  onKeyUp={watchCapsLock}
                  onKeyDown={watchCapsLock}
                  onBlur={() => setCapsLock(false)}
                />
                <Text size="xs" c="var(--warning)" role="status" className={classes['caps']}>
                  {capsLock ? (
                    <>
                      <IconArrowBigUpLine size={14} /> {t('session:login.capsLock')}
                    </>
                  ) : null}
                </Text>
              </div>
              {errors.form ? (
                <p role="alert" className={classes['note']} data-tone="critical">
                  {errors.form}
                </p>
              ) : null}
              <Button type="submit" size="md" loading={busy} fullWidth>
                {t(expired ? 'session:login.again' : 'session:login.submit')}
              </Button>
            </Stack>
          </form>
        )}
        <footer className={classes['footer']}>
          <span>{t('session:copyright', { years: copyrightYears(new Date()) })}</span>
          <FilingLinks filings={filings} />
        </footer>
      </main>
    </div>
  )
}
