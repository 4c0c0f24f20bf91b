import { sendForTexts } from './kit/i18n.ts'

sendForTexts()
