package import FirnEngine
package import FirnValues

/// A path from an object through links, collections and inverse links to values.
///
///     plane.seats                  link(plane)              column(seats)
///     dogs.name                    elements(dogs)           column(name)       multiple
///     @links.Flight.plane          backlinks(Flight, plane) object             multiple
///     tags                                                  elements(tags)     multiple
///     dogs[0].name                 element(dogs, first ...) column(name)
package struct BoundPath: Hashable, Sendable {
    /// A position in a list.
    package enum Position: Hashable, Sendable {
        case index(Int)
        case first
        case last
    }

    /// A step from objects to the objects of another class; `null` leads to no object.
    package enum Step: Hashable, Sendable {
        /// A single link: one object or none.
        case link(PropertySchema, ClassSchema)
        /// All objects of a list, set or map of links, in its order.
        case elements(PropertySchema, ClassSchema)
        /// One object of a list of links.
        case element(PropertySchema, Position, ClassSchema)
        /// The object for a key of a map of links.
        case mapValue(PropertySchema, key: String, ClassSchema)
        /// All objects of a class that link to the current ones through a property, in row order.
        case backlinks(PropertySchema, of: ClassSchema)
        /// All objects that link to the current ones through any property, only for
        /// `@links.@count`.
        case allBacklinks
        /// The objects of a join.
        case lookup(BoundJoin)

        /// Whether the step leads to more than one object.
        package var isMultiple: Bool {
            switch self {
            case .link, .element, .mapValue: false
            case .elements, .backlinks, .allBacklinks: true
            case .lookup(let join): join.findsAll
            }
        }
    }

    /// A step inside an Any.
    package enum Inner: Hashable, Sendable {
        case index(Int)
        case first
        case last
        case key(String)
        /// All elements: `[*]`.
        case all
        /// The keys of a map: `@keys`.
        case keys
        /// The key, or a unique property, of the object of a class that a link leads to; null for any
        /// other value.
        case objectKey(ClassSchema, PropertySchema)
    }

    /// The values to take from the objects at the end of the steps.
    package enum Terminal: Hashable, Sendable {
        /// A single property or `@id`.
        case column(BoundColumn)
        /// The objects themselves, as links.
        case object
        /// All elements of a collection of values.
        case elements(PropertySchema)
        /// The keys of a map.
        case keys(PropertySchema)
        /// One element of a list of values.
        case element(PropertySchema, Position)
        /// The value for a key of a map.
        case mapValue(PropertySchema, key: String)
        /// A value inside an Any property, or null if it does not exist.
        ///
        /// For a collection of Any, the first step leads into the collection.
        case nested(PropertySchema, [Inner])
        /// The collection as a whole: for results, for `list == {...}`, and for counting.
        case collection(PropertySchema)
    }

    /// A measure that replaces each value.
    package enum Measure: String, Hashable, Sendable {
        /// The length of a String or Data in bytes; null for any other value.
        case length
        /// The type name of the value, as in `ValueTag.name`, even for null.
        case typeName = "@type"
    }

    /// Heap storage, because trees of paths nest and are compared and hashed recursively.
    private final class Storage: Hashable, Sendable {
        let root: ClassSchema
        let steps: [Step]
        let terminal: Terminal
        let measure: Measure?
        let type: PropertyType
        let name: String
        let display: DisplayForm?

        init(
            _ root: ClassSchema, _ steps: [Step], _ terminal: Terminal, _ measure: Measure?,
            _ type: PropertyType, _ name: String, _ display: DisplayForm?
        ) {
            self.root = root
            self.steps = steps
            self.terminal = terminal
            self.measure = measure
            self.type = type
            self.name = name
            self.display = display
        }

        static func == (left: Storage, right: Storage) -> Bool {
            left === right
                || left.root == right.root && left.steps == right.steps
                    && left.terminal == right.terminal && left.measure == right.measure
                    && left.type == right.type && left.name == right.name
                    && left.display == right.display
        }

        /// Hashes only the root and the name, which determine the rest.
        func hash(into hasher: inout Hasher) {
            hasher.combine(root.id)
            hasher.combine(name)
            hasher.combine(type)
        }
    }

    private let storage: Storage

    /// Returns the rest of the path, starting from an object to which the first step leads.
    ///
    /// - Parameter target: the class of that object.
    func withoutFirstStep(_ target: ClassSchema) -> BoundPath {
        BoundPath(
            root: target, steps: Array(steps.dropFirst()), terminal: terminal, measure: measure,
            type: type, name: name, display: display)
    }

    package init(
        root: ClassSchema, steps: [Step], terminal: Terminal, measure: Measure? = nil,
        type: PropertyType, name: String, display: DisplayForm? = nil
    ) {
        storage = Storage(root, steps, terminal, measure, type, name, display)
    }

    /// The class that the path starts from.
    package var root: ClassSchema { storage.root }
    package var steps: [Step] { storage.steps }
    package var terminal: Terminal { storage.terminal }
    /// The measure of a multi-valued path.
    ///
    /// For a single value, an expression has the same purpose.
    package var measure: Measure? { storage.measure }
    /// The type of each value; for a `collection`, the type of the whole collection.
    package var type: PropertyType { storage.type }
    /// The text of the path, in canonical form.
    package var name: String { storage.name }
    package var display: DisplayForm? { storage.display }

    /// Whether there can be more or fewer values than one per object.
    package var isMultiple: Bool {
        if steps.contains(where: \.isMultiple) { return true }
        switch terminal {
        case .elements, .keys: return true
        case .nested(_, let inner): return inner.contains(.all) || inner.contains(.keys)
        case .column, .object, .element, .mapValue, .collection: return false
        }
    }
}
