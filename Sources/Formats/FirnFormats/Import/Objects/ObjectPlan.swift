package import FirnEngine
import FirnText
import FirnValues

/// The identity of an object, as an input gives it.
package struct ObjectName: Hashable {
    enum Identity: Hashable {
        case key(Value)
        case row(RowID)
    }

    let classID: ClassID
    let identity: Identity
}

/// A link to an object that does not exist when the link is read.
package struct PendingName {
    let name: ObjectName
    let position: TextPosition
}

/// An object to write for a record, checked but not written.
package final class ObjectPlan {
    package let schema: ClassSchema
    let policy: PutPolicy
    /// The existing object.
    let existing: RowID?
    /// The identity of the new object.
    let newRow: RowID?
    let key: Value?
    let position: TextPosition
    let fields: [(property: PropertySchema, value: ValuePlan)]

    init(
        schema: ClassSchema, policy: PutPolicy, existing: RowID?, newRow: RowID?, key: Value?,
        position: TextPosition, fields: [(property: PropertySchema, value: ValuePlan)]
    ) {
        self.schema = schema
        self.policy = policy
        self.existing = existing
        self.newRow = newRow
        self.key = key
        self.position = position
        self.fields = fields
    }

    /// Visits the names under which others can link to the objects of the plan.
    func visitNames(_ visit: (ObjectName) -> Void) {
        if let key { visit(ObjectName(classID: schema.id, identity: .key(key))) }
        if let newRow { visit(ObjectName(classID: schema.id, identity: .row(newRow))) }
        for field in fields { field.value.visitObjects { $0.visitNames(visit) } }
    }

    /// Visits the links whose targets do not exist yet.
    func visitPending(_ visit: (PendingName, PropertySchema) -> Void) {
        for field in fields {
            field.value.visitPending { visit($0, field.property) }
            field.value.visitObjects { $0.visitPending(visit) }
        }
    }
}

/// A value to write, checked but not written.
indirect enum ValuePlan {
    case value(Value)
    /// A link to an object that is written first.
    case object(ObjectPlan)
    /// A link to an object that does not exist yet.
    case pending(PendingName)
    // Collections that contain one of these two.
    case list([ValuePlan])
    case set([ValuePlan])
    case map([(key: String, value: ValuePlan)])

    var hasPending: Bool {
        switch self {
        case .value, .object: false
        case .pending: true
        case .list(let elements), .set(let elements): elements.contains(where: \.hasPending)
        case .map(let entries): entries.contains { $0.value.hasPending }
        }
    }

    func visitObjects(_ visit: (ObjectPlan) -> Void) {
        switch self {
        case .value, .pending: break
        case .object(let plan): visit(plan)
        case .list(let elements), .set(let elements):
            for element in elements { element.visitObjects(visit) }
        case .map(let entries): for entry in entries { entry.value.visitObjects(visit) }
        }
    }

    /// Visits the links of the value itself, but not the links of objects in it.
    func visitPending(_ visit: (PendingName) -> Void) {
        switch self {
        case .value, .object: break
        case .pending(let name): visit(name)
        case .list(let elements), .set(let elements):
            for element in elements { element.visitPending(visit) }
        case .map(let entries): for entry in entries { entry.value.visitPending(visit) }
        }
    }

    /// Returns the plan with objects and pending links replaced.
    func mapped<Failure: Error>(
        _ object: (ObjectPlan) throws(Failure) -> ValuePlan,
        _ pending: (PendingName) throws(Failure) -> ValuePlan
    ) throws(Failure) -> ValuePlan {
        switch self {
        case .value: return self
        case .object(let plan): return try object(plan)
        case .pending(let name): return try pending(name)
        case .list(let elements):
            var mapped: [ValuePlan] = []
            for element in elements { mapped.append(try element.mapped(object, pending)) }
            return .list(mapped)
        case .set(let elements):
            var mapped: [ValuePlan] = []
            for element in elements { mapped.append(try element.mapped(object, pending)) }
            return .set(mapped)
        case .map(let entries):
            var mapped: [(key: String, value: ValuePlan)] = []
            for entry in entries {
                mapped.append((entry.key, try entry.value.mapped(object, pending)))
            }
            return .map(mapped)
        }
    }

    /// The value, if nothing remains to be written or resolved.
    var value: Value? {
        switch self {
        case .value(let value): return value
        case .object, .pending: return nil
        case .list(let elements): return ValuePlan.values(elements).map { .list($0) }
        case .set(let elements):
            return ValuePlan.values(elements).map { .set(JSONValue.distinct($0)) }
        case .map(let entries):
            var values: TextMap<Value> = [:]
            for entry in entries {
                guard let value = entry.value.value else { return nil }
                values[entry.key] = value
            }
            return .map(values)
        }
    }

    private static func values(_ plans: [ValuePlan]) -> [Value]? {
        var values: [Value] = []
        values.reserveCapacity(plans.count)
        for plan in plans {
            guard let value = plan.value else { return nil }
            values.append(value)
        }
        return values
    }
}
