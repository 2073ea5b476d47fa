package io.tidemill.infra;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The rights of the roles of a stack: those written into the role, and policies attached to it. Not
 * managed policies, which lie elsewhere. Buckets, tables and queues are named as in the templates,
 * the account is 123456789012, the region us-east-1, the stack {@code tidemill}.
 */
public final class Permissions {
  private final Map<String, List<Grant>> byRole;

  private Permissions(Map<String, List<Grant>> byRole) {
    this.byRole = byRole;
  }

  /**
   * Reads a template and those it nests.
   *
   * @param parameters values of the template's parameters that are not their defaults
   */
  public static Permissions of(Path template, Map<String, String> parameters) {
    Map<String, List<Grant>> byRole = new TreeMap<>();
    collect(new Stack(TemplateFile.read(template), Map.copyOf(parameters)), byRole);
    return new Permissions(byRole);
  }

  private static void collect(Stack stack, Map<String, List<Grant>> byRole) {
    stack
        .resources("AWS::IAM::Role")
        .forEach(
            (role, properties) ->
                Values.list(properties.getOrDefault("Policies", List.of()))
                    .forEach(policy -> add(byRole, role, Values.map(policy))));
    stack
        .resources("AWS::IAM::Policy")
        .values()
        .forEach(
            policy -> Values.texts(policy.get("Roles")).forEach(role -> add(byRole, role, policy)));
    stack.nested().forEach(inner -> collect(inner, byRole));
  }

  private static void add(
      Map<String, List<Grant>> byRole, String role, Map<String, Object> policy) {
    List<Grant> grants = byRole.computeIfAbsent(role, name -> new ArrayList<>());
    Values.list(Values.map(policy.get("PolicyDocument")).get("Statement"))
        .forEach(statement -> grants.add(Grant.of(statement)));
  }

  /** Logical ids of all roles. */
  public Set<String> roles() {
    return new TreeSet<>(byRole.keySet());
  }

  /** The statements of a role. */
  public List<Grant> grants(String role) {
    List<Grant> grants = byRole.get(role);
    if (grants == null) {
      throw new IllegalArgumentException("there is no role " + role + ", but " + roles());
    }
    return List.copyOf(grants);
  }

  /**
   * What calls need and the role may not, as {@code action on resource}. Statements with a
   * condition allow nothing here, and statements for the platform allow no call.
   */
  public Set<String> missing(String role, Collection<Call> calls) {
    Set<String> missing = new TreeSet<>();
    for (Call call : calls) {
      for (String action : call.actions()) {
        List<Grant> about =
            grants(role).stream().filter(g -> g.hasAction(action) && g.covers(call)).toList();
        boolean isDenied = about.stream().anyMatch(g -> !g.isAllowing() && !g.isConditional());
        boolean isAllowed =
            about.stream().anyMatch(g -> g.isAllowing() && !g.isConditional() && !g.isPlatform());
        if (isDenied || !isAllowed) {
          missing.add(action + " on " + call.resource().orElse("anything"));
        }
      }
    }
    return missing;
  }

  /**
   * What the role may and no call needs, as {@code Sid: action on resource}: each action on each of
   * the resources that its statement names. Not what is for the platform.
   */
  public Set<String> unused(String role, Collection<Call> calls) {
    Set<String> unused = new TreeSet<>();
    for (Grant grant : grants(role)) {
      if (grant.isAllowing() && !grant.isPlatform()) {
        for (String action : grant.actions()) {
          grant.resources().stream()
              .filter(resource -> calls.stream().noneMatch(call -> uses(call, action, resource)))
              .forEach(resource -> unused.add(grant.id() + ": " + action + " on " + resource));
        }
      }
    }
    return unused;
  }

  private static boolean uses(Call call, String action, String resource) {
    return call.resource().map(about -> Grant.matches(resource, about)).orElse(true)
        && call.actions().stream().anyMatch(needed -> Grant.matches(action, needed));
  }
}
