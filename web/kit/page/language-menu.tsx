import { Button, Menu } from '@mantine/core'
import { IconLanguage } from '@tabler/icons-react'
import { languages } from '#schema/kit/refusal'
import { t } from '../i18n.ts'
import { chooseLanguage, language } from '../session.ts'
import { languageNames as names } from './language-names.ts'

export function LanguageMenu({ compact = false }: { compact?: boolean }) {
  return (
    <Menu>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          px={8}
          aria-label={`${t('kit:language')}: ${names[language()]}`}
          leftSection={compact ? undefined : <IconLanguage size={18} stroke={1.5} />}
        >
          {compact ? <IconLanguage size={18} stroke={1.5} /> : names[language()]}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {languages.map((one) => (
          <Menu.Item
            key={one}
            lang={one}
            fw={one === language() ? 600 : 400}
            aria-current={one === language() || undefined}
            onClick={() => chooseLanguage(one)}
          >
            {names[one]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
