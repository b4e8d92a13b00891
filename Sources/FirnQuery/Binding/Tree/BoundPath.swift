package import FirnEngine
package import FirnValues

/// The way from an object over links, collections and inverse links to values.
///
///     plane.seats                  link(plane)              column(seats)
///     dogs.name                    elements(dogs)           column(name)       multiple
///     @links.Flight.plane          backlinks(Flight, plane) object             multiple
///     tags                                                  elements(tags)     multiple
///     dogs[0].name                 element(dogs, first ...) column(name)
package struct BoundPath: Hashable, Sendable {
    /// A place in a list.
    package enum Position: Hashable, Sendable {
        case index(Int)
        case first
        case last
    }

    /// From objects to the objects of another class; `null` leads to none.
    package enum Step: Hashable, Sendable {
        /// A single link: one object or none.
        case link(PropertySchema, ClassSchema)
        /// All objects of a list, set or map of links, in its order.
        case elements(PropertySchema, ClassSchema)
        /// One object of a list of links.
        case element(PropertySchema, Position, ClassSchema)
        /// The object of a map of links under a key.
        case mapValue(PropertySchema, key: String, ClassSchema)
        /// All objects of a class that link here through a property, in row order.
        case backlinks(PropertySchema, of: ClassSchema)
        /// All objects that link here through any property, for `@links.@count` only.
        case allBacklinks

        /// Whether it leads to more than one object.
        package var isMultiple: Bool {
            switch self {
            case .link, .element, .mapValue: false
            case .elements, .backlinks, .allBacklinks: true
            }
        }
    }

    /// A step inside of an Any.
    package enum Inner: Hashable, Sendable {
        case index(Int)
        case first
        case last
        case key(String)
        /// `[*]`
        case all
        /// The keys of a map: `@keys`.
        case keys
    }

    /// What is taken of the objects at the end of the steps.
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
        /// The value of a map under a key.
        case mapValue(PropertySchema, key: String)
        /// A value inside of an Any property; of a collection of Any the first step leads into the
        /// collection. What is not there is null.
        case nested(PropertySchema, [Inner])
        /// The collection as a whole, for results, for `list == {...}` and to be counted.
        case collection(PropertySchema)
    }

    /// What is taken of each value instead of the value itself.
    package enum Measure: String, Hashable, Sendable {
        /// The length of a String or Data in bytes; null of anything else.
        case length
        /// The name of the type of the value as `ValueTag.name` has it, also of null.
        case typeName = "@type"
    }

    /// On the heap, because trees of paths nest and are compared and hashed recursively.
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

        /// The root and the name say the rest.
        func hash(into hasher: inout Hasher) {
            hasher.combine(root.id)
            hasher.combine(name)
            hasher.combine(type)
        }
    }

    private let storage: Storage

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
    /// Only of multiple paths; a path with one value stands in an expression that does the same.
    package var measure: Measure? { storage.measure }
    /// What each value is; of a `collection`, its whole type.
    package var type: PropertyType { storage.type }
    /// The text of the path, in its canonical form.
    package var name: String { storage.name }
    package var display: DisplayForm? { storage.display }

    /// Whether there may be more or fewer values than one per object.
    package var isMultiple: Bool {
        if steps.contains(where: \.isMultiple) { return true }
        switch terminal {
        case .elements, .keys: return true
        case .nested(_, let inner): return inner.contains(.all) || inner.contains(.keys)
        case .column, .object, .element, .mapValue, .collection: return false
        }
    }
}
