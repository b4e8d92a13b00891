package import FirnEngine
import FirnValues

/// A statement that changes objects: a query, and a change to each of its rows.
package struct BoundMutation: Hashable, Sendable {
    package enum Change: Hashable, Sendable {
        /// All expressions are computed on the object as it is before any of them is stored.
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

    /// A property and its new value.
    package struct Assigned: Hashable, Sendable {
        package let property: PropertySchema
        package let content: Content
        /// The range of the value in the text, for errors about values.
        package let range: SourceRange

        package init(property: PropertySchema, content: Content, range: SourceRange) {
            self.property = property
            self.content = content
            self.range = range
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
