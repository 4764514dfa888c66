// SPDX-License-Identifier: MIT
// ADAL itself writes a cache for Reader, and reads it again afterwards. Three runs of one process each:
//   WriterTests/WriterTests/testWrites      before Reader
//   WriterTests/WriterTests/testStillReads  after Reader
//   WriterTests/WriterTests/testCleansUp    last
@import Security;
@import XCTest;
#import "LegacyCache.h"

@interface WriterTests : XCTestCase
@end

@implementation WriterTests

static Class classNamed(NSArray<NSString *> *names) {
  for (NSString *name in names) {
    Class found = NSClassFromString(name);
    if (found != Nil) return found;
  }
  return Nil;
}

- (id<LegacyCache>)cache {
  Class kind = classNamed(@[ @"ADALKeychainTokenCache", @"ADKeychainTokenCache", @"ADKeychainTokenCacheStore" ]);
  XCTAssertNotNil(kind, @"ADAL is not linked");
  return [[kind alloc] init];
}

- (NSArray<NSDictionary *> *)rows {
  NSURL *url = [[NSBundle bundleForClass:[self class]] URLForResource:@"rows" withExtension:@"json"];
  NSData *data = [NSData dataWithContentsOfURL:url];
  XCTAssertNotNil(data);
  NSArray *rows = [NSJSONSerialization JSONObjectWithData:data options:0 error:nil];
  XCTAssertEqual(rows.count, 6U);
  return rows;
}

static NSString *base64URL(NSDictionary *object) {
  NSData *data = [NSJSONSerialization dataWithJSONObject:object options:0 error:nil];
  NSString *text = [data base64EncodedStringWithOptions:0];
  text = [text stringByReplacingOccurrencesOfString:@"+" withString:@"-"];
  text = [text stringByReplacingOccurrencesOfString:@"/" withString:@"_"];
  return [text stringByReplacingOccurrencesOfString:@"=" withString:@""];
}

// The ID token of a made-up user: the object ID is made of the user's name, in the home tenant or as a guest.
static NSString *idToken(NSString *user, NSString *guestOf, NSString *client) {
  NSString *home = @"22222222-0000-4000-8000-000000000001";
  NSString *digit = [@{@"adele@contoso.com" : @"1", @"alex@contoso.com" : @"2"} objectForKey:user];
  if (digit == nil) digit = @"3";
  NSMutableDictionary *claims = [@{
    @"aud" : client,
    @"tid" : guestOf != nil ? guestOf : home,
    @"oid" : [NSString stringWithFormat:@"33333333-0000-4000-8000-00000000%@00%@", guestOf != nil ? @"1" : @"0", digit],
    @"sub" : [NSString stringWithFormat:@"synthetic-sub-%@", digit],
    @"upn" : user,
    @"unique_name" : user,
    @"ver" : @"1.0",
  } mutableCopy];
  if (guestOf != nil) claims[@"idp"] = [NSString stringWithFormat:@"https://sts.windows.net/%@/", home];
  return [NSString stringWithFormat:@"%@.%@.synthetic", base64URL(@{@"alg" : @"none", @"typ" : @"JWT"}), base64URL(claims)];
}

- (void)testWrites {
  id<LegacyCache> cache = [self cache];
  Class itemKind = classNamed(@[ @"ADALTokenCacheItem", @"ADTokenCacheItem", @"ADTokenCacheStoreItem" ]);
  id<LegacyUserMaking> users = (id)classNamed(@[ @"ADALUserInformation", @"ADUserInformation" ]);
  for (NSDictionary *row in [self rows]) {
    id<LegacyItem> item = [[itemKind alloc] init];
    item.authority = row[@"authority"];
    item.clientId = row[@"client"];
    item.resource = row[@"resource"];
    item.accessToken = row[@"access"];
    item.accessTokenType = row[@"access"] != nil ? @"Bearer" : nil;
    item.refreshToken = row[@"refresh"];
    if (row[@"expiresIn"] != nil) item.expiresOn = [NSDate dateWithTimeIntervalSinceNow:[row[@"expiresIn"] doubleValue]];
    if (row[@"family"] != nil && [item respondsToSelector:@selector(setFamilyId:)]) item.familyId = row[@"family"];
    if (row[@"user"] != nil) {
      id error = nil;
      item.userInformation = [users userInformationWithIdToken:idToken(row[@"user"], row[@"guestOf"], row[@"client"])
                                                         error:&error];
      XCTAssertEqualObjects(item.userInformation.userId, row[@"user"], @"%@", error);
    }
    id error = nil;
    if ([cache respondsToSelector:@selector(addOrUpdateItem:correlationId:error:)]) {
      XCTAssertTrue([cache addOrUpdateItem:item correlationId:nil error:&error], @"%@: %@", row[@"name"], error);
    } else {
      [cache addOrUpdateItem:item error:&error];
      XCTAssertNil(error, @"%@", row[@"name"]);
    }
  }
  XCTAssertEqualObjects([self tokensOf:cache], [self writtenTokens]);
  [self addForeignItems];
}

- (void)testStillReads {
  XCTAssertEqualObjects([self tokensOf:[self cache]], [self writtenTokens]);
}

- (void)testCleansUp {
  // The groups are those of the entitlements of these test apps.
  OSStatus status = SecItemDelete((__bridge CFDictionaryRef) @{(id)kSecClass : (id)kSecClassGenericPassword});
  XCTAssertTrue(status == errSecSuccess || status == errSecItemNotFound, @"%d", (int)status);
}

// The tokens of each row, sorted: what ADAL hands out.
- (NSArray<NSString *> *)tokensOf:(id<LegacyCache>)cache {
  id error = nil;
  NSArray<id<LegacyItem>> *items = [cache respondsToSelector:@selector(allItems:)] ? [cache allItems:&error]
                                                                                  : [cache allItemsWithError:&error];
  XCTAssertNil(error);
  NSMutableArray<NSString *> *tokens = [NSMutableArray array];
  for (id<LegacyItem> item in items) {
    [tokens addObject:[NSString stringWithFormat:@"%@ %@ %@", item.clientId, item.accessToken, item.refreshToken]];
  }
  return [tokens sortedArrayUsingSelector:@selector(compare:)];
}

- (NSArray<NSString *> *)writtenTokens {
  NSMutableArray<NSString *> *tokens = [NSMutableArray array];
  for (NSDictionary *row in [self rows]) {
    [tokens addObject:[NSString stringWithFormat:@"%@ %@ %@", row[@"client"], row[@"access"], row[@"refresh"]]];
  }
  return [tokens sortedArrayUsingSelector:@selector(compare:)];
}

// What other code of an app keeps: an item for an unlocked device, one that needs a person, one in another group.
- (void)addForeignItems {
  NSData *data = [@"synthetic" dataUsingEncoding:NSUTF8StringEncoding];
  NSDictionary *base = @{
    (id)kSecClass : (id)kSecClassGenericPassword,
    (id)kSecAttrService : @"com.contoso.other",
    (id)kSecValueData : data,
  };
  SecAccessControlRef control = SecAccessControlCreateWithFlags(
      NULL, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, kSecAccessControlUserPresence, NULL);
  NSArray<NSDictionary *> *others = @[
    @{(id)kSecAttrAccount : @"unlocked"},
    @{(id)kSecAttrAccount : @"person", (id)kSecAttrAccessControl : (__bridge_transfer id)control},
    @{(id)kSecAttrAccount : @"group", (id)kSecAttrAccessGroup : [self secondGroup]},
  ];
  for (NSDictionary *other in others) {
    NSMutableDictionary *attributes = [base mutableCopy];
    [attributes addEntriesFromDictionary:other];
    OSStatus status = SecItemAdd((__bridge CFDictionaryRef)attributes, NULL);
    XCTAssertTrue(status == errSecSuccess || status == errSecDuplicateItem, @"%@: %d", other, (int)status);
  }
}

// The second group of Host.entitlements with the team prefix of the first, which a new item has.
- (NSString *)secondGroup {
  NSDictionary *key = @{
    (id)kSecClass : (id)kSecClassGenericPassword,
    (id)kSecAttrAccount : @"adal2msal.probe",
    (id)kSecAttrService : @"adal2msal.probe",
  };
  NSMutableDictionary *probe = [key mutableCopy];
  probe[(id)kSecReturnAttributes] = @YES;
  SecItemDelete((__bridge CFDictionaryRef)key);
  CFTypeRef added = NULL;
  XCTAssertEqual(SecItemAdd((__bridge CFDictionaryRef)probe, &added), errSecSuccess);
  NSDictionary *attributes = (__bridge_transfer NSDictionary *)added;
  SecItemDelete((__bridge CFDictionaryRef)key);
  NSString *prefix = [attributes[(id)kSecAttrAccessGroup] componentsSeparatedByString:@"."].firstObject;
  return [prefix stringByAppendingString:@".com.contoso.check"];
}

@end
