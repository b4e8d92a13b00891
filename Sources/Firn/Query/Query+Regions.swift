import FirnQuery

extension Query where T: OptionalProtocol, T.Wrapped: EmbeddedObject {
    /// Returns a query that tests whether a location is in a region.
    ///
    ///     shops.where { $0.location.geoWithin(GeoCircle(center: center, radius: near)) }
    ///
    /// A location is an embedded object with a String `type` that is "Point", and a `List<Double>`
    /// named `coordinates` that contains its longitude and latitude (see ``GeoPoint``). An object
    /// without a location is in no region.
    ///
    /// - Parameter region: A ``GeoBox``, ``GeoCircle`` or ``GeoPolygon``.
    public func geoWithin<Region: Geospatial>(_ region: Region) -> Query<Bool> {
        comparison(.geoWithin, .value(region))
    }
}
