package import FirnEngine
package import FirnSyntax
import FirnValues

/// A statement that changes objects: a query, and a change to each of its rows.
package struct BoundMutation: Hashable, Sendable {
    package enum Change: Hashable, Sendable {
        /// The assignments; all expressions are computed before any result is stored in the object.
        case set([Assigned])
        case delete
    }

    /// The new content of a property.
    package enum Content: Hashable, Sendable {
        /// A value of the type of the property.
        ///
        /// A constant already fits the property, in width and as a whole collection. A computed
        /// value can still be null or out of range.
        case expression(BoundExpression)
        /// A single object: `obj("Plane", "N1")`.
        ///
        /// If there is none, an error is thrown.
        case object(BoundObject)
        /// Objects of a class, for a list or set of links.
        case objects([BoundObject])
    }

    /// A place inside an object, and its new value.
    package struct Assigned: Hashable, Sendable {
        package let place: Place
        package let content: Content
        /// The range of the value in the text, for errors about values.
        package let range: SourceRange

        package init(place: Place, content: Content, range: SourceRange) {
            self.place = place
            self.content = content
            self.range = range
        }
    }

    /// The place that an assignment changes: a property of the object or of an object embedded in it,
    /// or one element of a collection there.
    ///
    ///     text                   owner        property   element
    ///     age                                 age
    ///     address.city           address      city
    ///     tags[0]                             tags       0
    ///     address.notes["de"]    address      notes      "de"
    package struct Place: Hashable, Sendable {
        package enum Element: Hashable, Sendable {
            /// The value for a key of a map, which may be new.
            ///
            /// - Parameter map: the whole map.
            case key(String, map: BoundExpression)
            /// An existing element of a list.
            ///
            /// - Parameter count: the number of elements.
            case position(Int, count: BoundExpression)
        }

        /// The path to the embedded object that has the property; `nil` for the object itself.
        package let owner: BoundPath?
        /// The class that has the property.
        package let ownerClass: ClassSchema
        package let property: PropertySchema
        package let element: Element?
        /// The current value.
        package let current: BoundExpression
        /// The range of the path in the text.
        package let range: SourceRange

        init(
            owner: BoundPath?, ownerClass: ClassSchema, property: PropertySchema,
            element: Element?, current: BoundExpression, range: SourceRange
        ) {
            self.owner = owner
            self.ownerClass = ownerClass
            self.property = property
            self.element = element
            self.current = current
            self.range = range
        }

        /// Creates the place of a property of the object itself.
        package init(_ property: PropertySchema, of schema: ClassSchema, range: SourceRange) {
            self.init(
                owner: nil, ownerClass: schema, property: property, element: nil,
                current: BoundProjection(whole: property, of: schema).expression, range: range)
        }

        /// The property, or the element as a single property.
        var value: PropertySchema {
            guard element != nil else { return property }
            return PropertySchema(id: property.id, name: name, type: property.type.element)
        }

        /// Whether the value is an element that must be an object.
        ///
        /// A single link can be nil.
        var needsObject: Bool {
            element != nil && property.type.base == .link && !property.type.isOptional
        }

        /// The path in canonical form.
        var name: String { current.description }

        /// Whether one of two places equals or contains the other.
        func overlaps(_ other: Place) -> Bool { contains(other) || other.contains(self) }

        private func contains(_ other: Place) -> Bool {
            let (own, others) = (name.utf8, other.name.utf8)
            guard others.starts(with: own) else { return false }
            let next = others.dropFirst(own.count).first
            return next == nil || next == UInt8(ascii: ".") || next == UInt8(ascii: "[")
        }
    }

    /// The query for the objects to change, which has no projection.
    package let query: BoundQuery
    package let change: Change

    package init(query: BoundQuery, change: Change) {
        self.query = query
        self.change = change
    }
}
