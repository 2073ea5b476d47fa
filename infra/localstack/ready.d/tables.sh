#!/usr/bin/env bash
# What infra/storage.yaml makes in an account, as far as a laptop needs it.
set -euo pipefail
awslocal s3api create-bucket --bucket tidemill
for table in tidemill-checkpoint tidemill-state; do
  awslocal dynamodb create-table --table-name "$table" --billing-mode PAY_PER_REQUEST \
    --attribute-definitions AttributeName=id,AttributeType=S --key-schema AttributeName=id,KeyType=HASH
  awslocal dynamodb update-time-to-live --table-name "$table" \
    --time-to-live-specification Enabled=true,AttributeName=expires
done
