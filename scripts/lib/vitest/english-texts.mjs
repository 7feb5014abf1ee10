import { i18n } from '@lingui/core';

// Specs of the dashboard use the English texts in the code.
i18n.loadAndActivate({ locale: 'en', messages: {} });
