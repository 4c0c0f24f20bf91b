import { Button, Center, Stack, Text, Title } from '@mantine/core'
import { IconMapPinOff } from '@tabler/icons-react'
import { useEffect } from 'react'
import { Link } from 'react-router'
import { t } from '../kit/i18n.ts'
import { token } from '../kit/session.ts'

/** [§2] Unknown paths, and pages that this user may not open, without revealing which. */
export function Page() {
  useEffect(() => {
    document.title = t('kit:notFound.title')
  }, [])
  return (
    <Center mih="100vh" p="md">
      <Stack align="center" maw={440} ta="center" gap="sm">
        <IconMapPinOff size={56} stroke={1.2} color="var(--primary)" />
        <Text fz={48} lh="56px" fw={600} c="var(--primary)" className="tabular">
          404
        </Text>
        <Title order={1}>{t('kit:notFound.title')}</Title>
        <Text c="dimmed">{t('kit:notFound.text')}</Text>
        <Button component={Link} to={token() ? '/dashboard' : '/login'} mt="sm">
          {t(token() ? 'kit:notFound.home' : 'kit:notFound.login')}
        </Button>
      </Stack>
    </Center>
  )
}
