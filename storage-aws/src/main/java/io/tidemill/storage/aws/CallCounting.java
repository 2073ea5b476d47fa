package io.tidemill.storage.aws;

import io.tidemill.storage.aws.AwsCalls.Count;
import java.util.List;
import java.util.Locale;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.core.interceptor.SdkExecutionAttribute;
import software.amazon.awssdk.http.SdkHttpHeaders;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** Counts the calls of a client, and asks DynamoDB what it charges for them. */
final class CallCounting implements ExecutionInterceptor {
  private final AwsCalls calls;

  CallCounting(AwsCalls calls) {
    this.calls = calls;
  }

  @Override
  public SdkRequest modifyRequest(Context.ModifyRequest context, ExecutionAttributes attributes) {
    SdkRequest request = context.request();
    ReturnConsumedCapacity total = ReturnConsumedCapacity.TOTAL;
    if (request instanceof PutItemRequest put) {
      return put.toBuilder().returnConsumedCapacity(total).build();
    }
    if (request instanceof GetItemRequest get) {
      return get.toBuilder().returnConsumedCapacity(total).build();
    }
    if (request instanceof UpdateItemRequest update) {
      return update.toBuilder().returnConsumedCapacity(total).build();
    }
    if (request instanceof DeleteItemRequest delete) {
      return delete.toBuilder().returnConsumedCapacity(total).build();
    }
    if (request instanceof QueryRequest query) {
      return query.toBuilder().returnConsumedCapacity(total).build();
    }
    if (request instanceof BatchGetItemRequest get) {
      return get.toBuilder().returnConsumedCapacity(total).build();
    }
    if (request instanceof BatchWriteItemRequest write) {
      return write.toBuilder().returnConsumedCapacity(total).build();
    }
    return request;
  }

  @Override
  public void beforeTransmission(
      Context.BeforeTransmission context, ExecutionAttributes attributes) {
    long bytes = length(context.httpRequest());
    calls.add(operation(attributes), new Count(1, bytes, 0, 0));
  }

  @Override
  public void afterTransmission(Context.AfterTransmission context, ExecutionAttributes attributes) {
    long bytes = length(context.httpResponse());
    calls.add(operation(attributes), new Count(0, 0, bytes, 0));
  }

  @Override
  public void afterExecution(Context.AfterExecution context, ExecutionAttributes attributes) {
    double units = units(context.response());
    if (units > 0) {
      calls.add(operation(attributes), new Count(0, 0, 0, units));
    }
  }

  private static long length(SdkHttpHeaders message) {
    return message.firstMatchingHeader("Content-Length").map(Long::parseLong).orElse(0L);
  }

  private static double units(SdkResponse response) {
    Object consumed = response.getValueForField("ConsumedCapacity", Object.class).orElse(List.of());
    List<?> all = consumed instanceof List<?> list ? list : List.of(consumed);
    double units = 0;
    for (Object one : all) {
      if (one instanceof ConsumedCapacity capacity && capacity.capacityUnits() != null) {
        units += capacity.capacityUnits();
      }
    }
    return units;
  }

  /** As IAM names it, but for HeadObject, which IAM counts as GetObject. */
  private static String operation(ExecutionAttributes attributes) {
    String service = attributes.getAttribute(SdkExecutionAttribute.SERVICE_NAME);
    String operation = attributes.getAttribute(SdkExecutionAttribute.OPERATION_NAME);
    return service.toLowerCase(Locale.ROOT) + ":" + operation;
  }
}
