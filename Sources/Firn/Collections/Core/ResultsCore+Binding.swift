import FirnEngine
import FirnQuery
import FirnValues

/// From texts and paths to bound stages.
extension ResultsCore {
    /// The stages that a text means: a predicate, with SORT, DISTINCT and LIMIT behind it.
    func stages(_ text: String, _ arguments: [Any]) -> [BoundStage] {
        do throws(QueryError) {
            return try BoundQuery(
                text, entry: .predicate, in: context(arguments.map { instance.comparable($0) })
            ).stages
        } catch {
            misuse("the query \"\(text)\" is wrong: \(error.described)")
        }
    }

    /// The stage of a condition that was built in code.
    func filter(_ predicate: Predicate) -> BoundStage {
        bound(.filter(predicate), [], "the query")
    }

    /// The stage of an order.
    func sort(_ descriptors: [SortDescriptor]) -> BoundStage {
        let keys = descriptors.enumerated().map { index, descriptor in
            SortKey(expression: .keyPath(index), descending: !descriptor.ascending)
        }
        return bound(.sort(keys), descriptors.map(\.keyPath), "sorting")
    }

    /// The stage that leaves one object of each combination of values.
    func distinct(_ keyPaths: [String]) -> BoundStage {
        bound(.distinct(keyPaths.indices.map { .keyPath($0) }), keyPaths, "distinct")
    }

    /// The stage of a value over all objects.
    func aggregate(_ function: BoundAggregate.Function, _ keyPath: String) -> BoundStage {
        let segments: [Path.Segment.Kind] = [.attribute(function.rawValue), .placeholder(0)]
        let path = Path(
            segments: segments.map { Path.Segment($0, range: .nowhere) }, range: .nowhere)
        let item = ProjectionItem(expression: .path(path), alias: nil, range: .nowhere)
        return bound(.project([item]), [keyPath], function.rawValue)
    }

    /// The stage that gives the values behind a path instead of the objects.
    func projection(_ keyPath: String) -> BoundStage {
        let item = ProjectionItem(expression: .keyPath(0), alias: nil, range: .nowhere)
        return bound(.project([item]), [keyPath], "reading")
    }

    private func bound(_ kind: Stage.Kind, _ keyPaths: [String], _ what: String) -> BoundStage {
        let statement = Statement(source: nil, stages: [Stage(kind, range: .nowhere)])
        do throws(QueryError) {
            let query = try BoundQuery(
                statement, text: "", in: context(keyPaths.map { .string($0) }))
            guard let stage = query.stages.first else { misuse("\(what) has no stage") }
            return stage
        } catch {
            let names = keyPaths.map { " \"\($0)\"" }.joined(separator: ",")
            misuse("\(what)\(names) is wrong: \(error.described)")
        }
    }

    private func context(_ positional: [Value]) -> BindingContext {
        BindingContext(
            schema: instance.snapshot.schema, defaultClass: objectClass.name,
            positional: positional, now: instance.snapshot.now)
    }
}

extension SourceRange {
    /// Of trees that were never a text.
    static let nowhere = SourceRange(0..<0)
}

extension Expression {
    /// A path that an argument spells.
    fileprivate static func keyPath(_ argument: Int) -> Expression {
        .path(
            Path(segments: [Path.Segment(.placeholder(argument), range: .nowhere)], range: .nowhere)
        )
    }
}

extension QueryError {
    /// What is wrong, and what would be right if that is known.
    var described: String { message + (hint.map { " (\($0))" } ?? "") }
}

extension RealmInstance {
    private static let foreignArgument =
        "an argument of a query is an object of another realm, or of none: add it to this one, or "
        + "look it up there"

    /// An argument of a query text as a value.
    func argument(_ argument: Any) -> Value {
        if let object = argument as? ObjectBase {
            guard let access = object.access, access.instance.file === file else {
                misuse(RealmInstance.foreignArgument)
            }
            return .link(access.reference)
        }
        if let place = argument as? any Geospatial { return place._region.argument }
        if isNothing(argument) { return .null }
        if let value = argument as? any RealmCollectionValue {
            guard let stored = LinkLookup.value(of: value, in: self) else {
                misuse(RealmInstance.foreignArgument)
            }
            return stored
        }
        if let values = argument as? any Sequence {
            return .list(values.map { self.argument($0) })
        }
        RealmInstance.stopForArgument(argument)
    }

    /// Stops the program for an argument of a query that is no value of the database.
    static func stopForArgument(_ argument: Any) -> Never {
        misuse(
            "\(type(of: argument)) cannot be an argument of a query: give a value that a property can "
                + "have, or an array of such")
    }
}
