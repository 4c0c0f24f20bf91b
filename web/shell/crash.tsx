import { Button, Center, Code, Stack, Text, Title } from '@mantine/core'
import { useRouteError } from 'react-router'
import { ApiError } from '../kit/api.ts'
import { t } from '../kit/i18n.ts'

/** Shown if a page cannot be rendered at all: the cause, and a way out. */
export function Crash() {
  const error = useRouteError()
  const requestId = error instanceof ApiError ? error.requestId : undefined
  return (
    <Center h="100vh" p="md">
      <Stack align="center" maw={480} ta="center">
        <Title order={1}>{t('kit:error.crash')}</Title>
        <Text c="dimmed">{t('kit:error.crashText')}</Text>
        {/* For whoever it is reported to: it comes from the program, in English. */}
        <Code>{error instanceof Error ? error.message : String(error)}</Code>
        {requestId ? <Code>{requestId}</Code> : null}
        <Button onClick={() => location.reload()}>{t('kit:error.reload')}</Button>
      </Stack>
    </Center>
  )
}
