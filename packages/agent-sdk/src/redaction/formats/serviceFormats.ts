/** Secrets of messaging, payment and mail services, by their published forms. */
import { format, type SecretFormat } from "./format.js";

export const serviceFormats: readonly SecretFormat[] = [
  format("slack", "xox[abeoprs](?:\\.xox[a-z])?-[A-Za-z0-9-]{10,250}"),
  format("slack", "xapp-[0-9]-[A-Za-z0-9-]{20,250}"),
  format(
    "slack_webhook",
    "(https://hooks\\.slack(?:-gov)?\\.com/(?:services|workflows|triggers)/)[A-Za-z0-9/_-]{20,200}",
  ),
  format(
    "discord_webhook",
    "(https://(?:[a-z]{1,10}\\.)?discord(?:app)?\\.com/api/webhooks/[0-9]{15,22}/)[A-Za-z0-9_-]{50,90}",
  ),
  format(
    "teams_webhook",
    "(https://[a-z0-9-]{1,60}\\.webhook\\.office\\.com/webhookb2/)[A-Za-z0-9/@_-]{40,300}",
  ),
  format("discord", "[MNO][A-Za-z0-9_-]{23,27}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,38}"),
  format("telegram", "(?:bot)?[0-9]{8,10}:AA[A-Za-z0-9_-]{32,35}"),
  format("twilio", "(?:SK|AC)[a-f0-9]{32}(?![A-Za-z0-9])"),
  format("sendgrid", "SG\\.[A-Za-z0-9_-]{16,32}\\.[A-Za-z0-9_-]{32,64}"),
  format("mailgun", "key-[a-f0-9]{32}(?![A-Za-z0-9])"),
  format("mailchimp", "[a-f0-9]{32}-us[0-9]{1,2}(?![A-Za-z0-9])"),
  format("resend", "re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,40}"),
  format("brevo", "xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}"),
  format("stripe", "[sr]k_(?:live|test|prod)_[A-Za-z0-9]{16,250}"),
  format("stripe_webhook", "whsec_[A-Za-z0-9+/=]{24,100}"),
  format("square", "sq0(?:atp|csp|idp)-[A-Za-z0-9_-]{22,50}"),
  format("square", "EAAA[A-Za-z0-9_-]{60}(?![A-Za-z0-9])"),
  format("facebook", "EAA[A-Z][A-Za-z0-9]{90,300}(?![A-Za-z0-9])"),
  format("paypal", "access_token\\$(?:production|sandbox)\\$[a-z0-9]{13,20}\\$[a-f0-9]{32}"),
  format(
    "braintree",
    "access_token\\$(?:production|sandbox)\\$[a-z0-9]{8,20}\\$[A-Za-z0-9]{20,40}",
  ),
  format("shopify", "shp(?:at|ca|pa|ss|ua)_[A-Fa-f0-9]{32}"),
  format(
    "plaid",
    "access-(?:sandbox|development|production)-[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}",
  ),
  format("dropbox", "sl\\.(?:u\\.)?[A-Za-z0-9_-]{60,1500}"),
  format("typeform", "tfp_[A-Za-z0-9_.=-]{40,80}"),
  format("intercom", "dG9rO[A-Za-z0-9+/=]{50,100}"),
  format(
    "hubspot",
    "pat-(?:na|eu)[0-9]-[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}",
  ),
  format("mapbox", "sk\\.eyJ[A-Za-z0-9_-]{20,400}\\.[A-Za-z0-9_-]{20,60}"),
  format(
    "launchdarkly",
    "(?:api|sdk)-[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}",
  ),
];
