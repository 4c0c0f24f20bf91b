/** The mail that binds an address, in the language of who asked for it. */
import type { Language } from '#schema/kit/refusal'
import { BINDING_MINUTES } from '#schema/people/profile'

type Letter = { subject: string; text: string }

export function bindingMail(language: Language, username: string, link: string): Letter {
  const minutes = String(BINDING_MINUTES)
  switch (language) {
    case 'zh-CN':
      return {
        subject: '绑定邮箱 - 物联网云平台',
        text: `您好，${username}：\n\n请在 ${minutes} 分钟内打开以下链接，将此邮箱绑定到您的账号：\n\n${link}\n\n链接只能使用一次。如果不是您本人操作，请忽略此邮件，邮箱不会被绑定。\n`,
      }
    case 'zh-TW':
      return {
        subject: '綁定電子郵件 - 物聯網雲端平台',
        text: `您好，${username}：\n\n請在 ${minutes} 分鐘內開啟以下連結，將此電子郵件綁定到您的帳號：\n\n${link}\n\n連結只能使用一次。如果不是您本人操作，請忽略此郵件，電子郵件不會被綁定。\n`,
      }
    case 'en-US':
      return {
        subject: 'Bind your e-mail address - IoT cloud platform',
        text: `Hello ${username},\n\nopen this link within ${minutes} minutes to bind this address to your account:\n\n${link}\n\nThe link works once. If it was not you, ignore this mail and nothing will be bound.\n`,
      }
  }
}
