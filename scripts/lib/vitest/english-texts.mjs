import { i18n } from '@lingui/core';

// Specs of the dashboard read its texts as they are in the code.
i18n.loadAndActivate({ locale: 'en', messages: {} });
