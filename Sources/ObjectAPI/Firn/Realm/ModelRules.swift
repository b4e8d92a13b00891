import FirnEngine
import FirnValues

/// The rules for storable classes that the type system of Swift cannot express.
///
/// Breaking a rule is a programming error, so it stops the program with a list of all problems.
struct ModelRules {
    private let layouts: [ClassLayout]
    private let byName: TextMap<ClassLayout>

    init(_ layouts: [ClassLayout]) {
        self.layouts = layouts
        byName = TextMap(layouts.map { ($0.className, $0) }) { first, _ in first }
    }

    /// Stops the program if a rule is broken.
    func check() {
        let problems = self.problems
        guard problems.isEmpty else {
            misuse("the classes cannot be stored: " + problems.joined(separator: "; "))
        }
    }

    /// A broken rule, in one sentence, and the class that breaks it.
    typealias Fault = (className: String, problem: String)

    /// The problems, one sentence each.
    var problems: [String] { faults.map(\.problem) }

    /// The problems with the classes that they concern.
    var faults: [Fault] {
        repeatedNames
            + layouts.flatMap { layout in problems(of: layout).map { (layout.className, $0) } }
            + unreachableClasses + embeddedCycle
    }

    private var repeatedNames: [Fault] {
        let counts = Dictionary(grouping: layouts, by: \.className).filter { $1.count > 1 }
        return counts.keys.sorted().map {
            ($0, "\($0) appears more than once: a realm has one class of a name")
        }
    }

    // MARK: One class

    private func problems(of layout: ClassLayout) -> [String] {
        guard layout.type != DynamicObject.self else {
            return ["DynamicObject stands for classes of the file: leave it out of objectTypes"]
        }
        var problems = bareCollections(layout)
        if layout.properties.isEmpty, layout.unpersistedCount > problems.count {
            problems.append(
                "\(layout.className) has no persisted property: mark them with @Persisted")
        }
        return problems + nameProblems(layout) + keyProblems(layout) + inverseProblems(layout)
    }

    /// Returns a problem for each collection that is not persisted.
    ///
    /// Models for Realm may declare `let dogs = List<Dog>()` as a persisted property. Its values
    /// would be lost here.
    private func bareCollections(_ layout: ClassLayout) -> [String] {
        layout.bareCollections.map { name, type in
            let isInverse = type is any _LinkingObjects.Type
            return "\(layout.className).\(name) would not be stored: declare it as @Persisted"
                + (isInverse ? "(originProperty: \"...\")" : "")
                + " var \(name): \(_typeName(type, qualified: false)), or name it in ignoredProperties()"
        }
    }

    private func nameProblems(_ layout: ClassLayout) -> [String] {
        let name = layout.className
        let mapping = layout.type.propertiesMapping()
        var problems: [String] = []
        let names = layout.properties.map(\.name)
        for repeated in names.repeated {
            problems.append("\(name).\(repeated) is declared in several classes it is made of")
        }
        for repeated in names.map({ mapping[$0] ?? $0 }).repeated
        where !names.repeated.contains(repeated) {
            problems.append("several properties of \(name) have the column \(repeated)")
        }
        for unknown in mapping.keys.sorted() where layout.index(of: unknown) == nil {
            problems.append(
                "propertiesMapping() of \(name) names \(unknown), which is not a property")
        }
        for given in [name] + names + mapping.values.sorted() where !given.canBeStoredName {
            problems.append(
                "the name \(given.prefix(40))... of \(name.prefix(40)) must have 1 to 255 bytes and no "
                    + "control characters")
        }
        return problems
    }

    private func keyProblems(_ layout: ClassLayout) -> [String] {
        let named = (layout.type as? Object.Type)?.primaryKey()
        if let named, layout.index(of: named) == nil {
            return ["the primary key \(named) is not a property of \(layout.className)"]
        }
        let keys = layout.properties.filter(\.traits.isPrimaryKey)
        guard let key = keys.first else { return [] }
        if keys.count > 1 {
            return [
                "\(key.name) and \(keys[1].name) are both the primary key of \(layout.className)"
            ]
        }
        if layout.type.isEmbeddedClass {
            return ["\(layout.className) is embedded and cannot have the primary key \(key.name)"]
        }
        guard [.int, .string, .objectID, .uuid].contains(key.declaration.type.base) else {
            return [
                "\(layout.className).\(key.name) cannot be the primary key: it is "
                    + "\(key.declaration), and must be an integer, String, ObjectId or UUID"
            ]
        }
        return []
    }

    private func inverseProblems(_ layout: ClassLayout) -> [String] {
        layout.properties.filter(\.declaration.isInverse).compactMap { inverse in
            let name = "\(layout.className).\(inverse.name)"
            guard let origin = inverse.traits.originProperty,
                let source = inverse.declaration.target.flatMap({ byName[$0.className()] })
            else {
                return "\(name) must name the property that it is the inverse of: "
                    + "@Persisted(originProperty: \"...\")"
            }
            guard let index = source.index(of: origin) else {
                return
                    "\(name) is the inverse of \(source.className).\(origin), which does not exist"
            }
            let link = source.properties[index].declaration
            guard !link.isInverse, link.target?.className() == layout.className else {
                return
                    "\(name) is the inverse of \(source.className).\(origin), which does not lead to "
                    + layout.className
            }
            return nil
        }
    }

    // MARK: Embedded objects

    /// Returns the classes to which objects of a class link.
    private func targets(_ layout: ClassLayout) -> [(property: String, layout: ClassLayout)] {
        layout.properties.compactMap { property in
            guard !property.declaration.isInverse, let target = property.declaration.target else {
                return nil
            }
            return byName[target.className()].map { (property.name, $0) }
        }
    }

    private var unreachableClasses: [Fault] {
        var reached: TextSet = []
        var open = layouts.filter { !$0.type.isEmbeddedClass }
        while let layout = open.popLast() {
            guard reached.insert(layout.className).inserted else { continue }
            open += targets(layout).map(\.layout)
        }
        return layouts.map(\.className).filter { !reached.contains($0) }.map {
            (
                $0,
                "no top-level class leads to \($0), which is embedded: leave it out of objectTypes, "
                    + "or add the class that has it"
            )
        }
    }

    /// Rejects embedded objects that contain objects of their own class, even indirectly, because
    /// they would be nested without end.
    private var embeddedCycle: [Fault] {
        var done: TextSet = []
        func cycle(from layout: ClassLayout, _ path: [(name: String, step: String)]) -> String? {
            if let start = path.firstIndex(where: { $0.name == layout.className }) {
                return ([layout.className] + path[start...].map(\.step)).joined(separator: ".")
            }
            guard !done.contains(layout.className) else { return nil }
            for (property, target) in targets(layout) where target.type.isEmbeddedClass {
                if let found = cycle(from: target, path + [(layout.className, property)]) {
                    return found
                }
            }
            done.insert(layout.className)
            return nil
        }
        return layouts.filter(\.type.isEmbeddedClass).lazy
            .compactMap { layout in cycle(from: layout, []).map { (layout.className, $0) } }
            .prefix(1)
            .map { ($0, "embedded objects cannot contain themselves: \($1)") }
    }
}

extension [String] {
    /// The elements that occur more than once, without repetition.
    fileprivate var repeated: [String] {
        Dictionary(grouping: self) { $0 }.filter { $1.count > 1 }.keys.sorted()
    }
}

extension String {
    fileprivate var canBeStoredName: Bool {
        (1...255).contains(utf8.count) && !utf8.contains { $0 < 0x20 || $0 == 0x7F }
    }
}
