import FirnEngine
import FirnQuery
import FirnSyntax
import FirnValues

/// Binding query texts and key paths to stages.
extension ResultsCore {
    /// Returns the stages of a text: a predicate, optionally followed by SORT, DISTINCT and LIMIT.
    func stages(_ text: String, _ arguments: [Any]) -> [BoundStage] {
        do {
            return try BoundQuery(
                text, entry: .predicate, in: context(arguments.map { instance.comparable($0) })
            ).stages
        } catch {
            misuse("the query \"\(text)\" is wrong: \(error.described)")
        }
    }

    /// Returns the stage of a condition that was built in code.
    func filter(_ predicate: Predicate) -> BoundStage {
        bound(.filter(predicate), [], "the query")
    }

    /// Returns the stage of a sort.
    func sort(_ descriptors: [SortDescriptor]) -> BoundStage {
        let keys = descriptors.enumerated().map { index, descriptor in
            SortKey(expression: .keyPath(index), descending: !descriptor.ascending)
        }
        return bound(.sort(keys), descriptors.map(\.keyPath), "sorting")
    }

    /// Returns the stages that keep one object for each combination of values.
    ///
    /// Objects for which a link of a path is nil are omitted.
    func distinct(_ keyPaths: [String]) -> [BoundStage] {
        let distinct = bound(
            .distinct(keyPaths.indices.map { .keyPath($0) }), keyPaths, "distinct")
        let links = Set(keyPaths.compactMap { linkPath(of: $0) }).sorted()
        guard !links.isEmpty else { return [distinct] }
        let conditions = links.indices.map { index in
            Predicate.comparison(
                Comparison(
                    left: .keyPath(index), operator: .notEqual,
                    right: .literal(.value(.null), .nowhere),
                    operatorRange: .nowhere))
        }
        return [bound(.filter(.and(conditions, .nowhere)), links, "distinct"), distinct]
    }

    /// Returns the to-one links of a path, or `nil` if there are none.
    private func linkPath(of keyPath: String) -> String? {
        var links: [String] = []
        var owner = objectClass
        for name in keyPath.split(separator: ".").dropLast().map(String.init) {
            guard let type = owner.propertyNamed(name)?.type, type.container == .single,
                let target = type.target.flatMap({ instance.snapshot.schema[$0] })
            else { break }
            links.append(name)
            owner = target
        }
        return links.isEmpty ? nil : links.joined(separator: ".")
    }

    /// Returns the stage of an aggregate over all objects.
    func aggregate(_ function: BoundAggregate.Function, _ keyPath: String) -> BoundStage {
        let segments: [Path.Segment.Kind] = [.attribute(function.rawValue), .placeholder(0)]
        let path = Path(
            segments: segments.map { Path.Segment($0, range: .nowhere) }, range: .nowhere)
        let item = ProjectionItem(expression: .path(path), alias: nil, range: .nowhere)
        return bound(.project([item]), [keyPath], function.rawValue)
    }

    /// Returns the stage that replaces the objects by the values at the end of a path.
    func projection(_ keyPath: String) -> BoundStage {
        let item = ProjectionItem(expression: .keyPath(0), alias: nil, range: .nowhere)
        return bound(.project([item]), [keyPath], "reading")
    }

    private func bound(_ kind: Stage.Kind, _ keyPaths: [String], _ what: String) -> BoundStage {
        let statement = Statement(source: nil, stages: [Stage(kind, range: .nowhere)])
        do {
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
            positional: positional, now: instance.snapshot.now, placesAreEmbedded: true)
    }
}

extension SourceRange {
    /// The range of a syntax tree that has no text.
    static let nowhere = SourceRange(0..<0)
}

extension Expression {
    /// Returns a path that is given as the text of an argument.
    fileprivate static func keyPath(_ argument: Int) -> Expression {
        .path(
            Path(segments: [Path.Segment(.placeholder(argument), range: .nowhere)], range: .nowhere)
        )
    }
}

extension QueryError {
    /// The error message, with a hint if there is one.
    var described: String { message + (hint.map { " (\($0))" } ?? "") }
}

extension RealmInstance {
    private static let foreignArgument =
        "an argument of a query is an object of another realm: add it to this one, or look it up there"

    /// An identity that belongs to no object.
    private static let noRow = RowID(1 << 62)

    /// Returns an argument of a query text as a value.
    func argument(_ argument: Any) -> Value {
        if let object = argument as? ObjectBase { return link(to: object) }
        if let region = argument as? any Geospatial { return region._region.argument }
        if isNothing(argument) { return .null }
        if let number = FoundationNumber(argument) { return number.value }
        if let value = argument as? any RealmCollectionValue { return self.argument(value: value) }
        if let number = argument as? any BinaryInteger {
            return FoundationNumber(integer: number).value
        }
        if let value = FoundationNumber.swiftValue(of: argument) { return self.argument(value) }
        if let entries = entries(in: argument) { return values(entries) }
        if let values = argument as? any Sequence {
            return .list(values.map { self.argument($0) })
        }
        RealmInstance.stopForArgument(argument)
    }

    private func argument(value: any RealmCollectionValue) -> Value {
        switch value {
        case AnyRealmValue.object(let object): return link(to: object)
        case AnyRealmValue.list(let list): return .list(list.map { argument(value: $0) })
        case AnyRealmValue.dictionary(let map):
            return .map(map.entries.mapValues { argument(value: $0) })
        default: break
        }
        if let object = value._object { return link(to: object) }
        guard let stored = LinkLookup.value(of: value, in: self) else {
            misuse(RealmInstance.foreignArgument)
        }
        return stored
    }

    /// Returns the values of a dictionary as a list of operands.
    private func values(_ entries: TextMap<Any>) -> Value {
        .list(entries.orderedKeys.compactMap { key in entries[key].map { argument($0) } })
    }

    /// Returns a link to an object.
    ///
    /// For an unmanaged or deleted object, the link matches nothing.
    private func link(to object: ObjectBase) -> Value {
        if let access = object.access {
            guard access.instance.file === file else { misuse(RealmInstance.foreignArgument) }
            return .link(access.reference)
        }
        guard let schema = snapshot.schema.classNamed(object.layout.className) else {
            misuse(
                "an argument of a query is a \(type(of: object)), a class that the realm does not have"
            )
        }
        return .link(ObjectReference(classID: schema.id, rowID: RealmInstance.noRow))
    }

    /// Stops the program because an argument of a query is not a value of the database.
    static func stopForArgument(_ argument: Any) -> Never {
        misuse(
            "\(type(of: argument)) cannot be an argument of a query: give a value that a property can "
                + "have, or an array of such")
    }
}
